import { describe, expect, it } from '@jest/globals';
import { Reflector } from '@nestjs/core';
import {
  accessOf,
  AcceptExpiredToken,
  Public,
  RequireRole,
  type Access,
} from './access.decorator.js';

class Undecorated {
  plain(): void {}

  @Public()
  open(): void {}

  @Public({ apiKey: false })
  wideOpen(): void {}

  @AcceptExpiredToken()
  expired(): void {}
}

@RequireRole('ADMIN')
class OfAdmins {
  plain(): void {}

  @RequireRole('EDITOR')
  ofEditors(): void {}

  @Public()
  open(): void {}
}

type Handlers = Record<string, () => void>;

const access = (type: new () => object, method: string): Access => {
  const handler = (type.prototype as Handlers)[method] as () => void;
  return accessOf(new Reflector(), { getHandler: () => handler, getClass: () => type as never });
};

describe('accessOf', () => {
  it.each<[new () => object, string, Access]>([
    [Undecorated, 'plain', { apiKey: true, token: 'required', role: null }],
    [Undecorated, 'open', { apiKey: true, token: 'none', role: null }],
    [Undecorated, 'wideOpen', { apiKey: false, token: 'none', role: null }],
    [Undecorated, 'expired', { apiKey: true, token: 'expired-ok', role: null }],
    [OfAdmins, 'plain', { apiKey: true, token: 'required', role: 'ADMIN' }],
    [OfAdmins, 'ofEditors', { apiKey: true, token: 'required', role: 'EDITOR' }],
    [OfAdmins, 'open', { apiKey: true, token: 'none', role: null }],
  ])('should return for %p.%s the access that its decorators declare', (type, method, wanted) => {
    expect(access(type, method)).toEqual(wanted);
  });
});
