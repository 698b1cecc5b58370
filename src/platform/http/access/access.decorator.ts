import { SetMetadata, type CustomDecorator, type ExecutionContext } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import type { RoleCode } from './role-code.js';

const ACCESS = Symbol('access');

/** What a request must present before its handler runs. */
export interface Access {
  readonly apiKey: boolean;
  /**
   * The access token that is needed. With `expired-ok` the signature must be valid, but the token
   * may have expired (refresh).
   */
  readonly token: 'required' | 'expired-ok' | 'none';
  readonly role: RoleCode | null;
}

/**
 * The rules of a handler without a decorator of this file: it needs an API key and a valid access
 * token.
 */
const CLOSED: Access = { apiKey: true, token: 'required', role: null };

/** Opens a handler to callers without an access token; `{ apiKey: false }` opens it to everyone. */
export const Public = ({ apiKey = true } = {}): CustomDecorator<symbol> =>
  SetMetadata(ACCESS, { apiKey, token: 'none', role: null } satisfies Access);

/** Accepts an access token that has expired, if its signature is valid. */
export const AcceptExpiredToken = (): CustomDecorator<symbol> =>
  SetMetadata(ACCESS, { ...CLOSED, token: 'expired-ok' } satisfies Access);

/**
 * Requires that the caller has exactly this role. Roles are not hierarchical: ADMIN does not
 * include EDITOR.
 */
export const RequireRole = (role: RoleCode): CustomDecorator<symbol> =>
  SetMetadata(ACCESS, { ...CLOSED, role } satisfies Access);

/** The access rules of a handler, from its own decorator, else from its controller's, else CLOSED. */
export function accessOf(
  reflector: Reflector,
  context: Pick<ExecutionContext, 'getHandler' | 'getClass'>,
): Access {
  const targets = [context.getHandler(), context.getClass()];
  return reflector.getAllAndOverride<Access | undefined>(ACCESS, targets) ?? CLOSED;
}
