import { Reflector } from '@nestjs/core';
import type { ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { describe, expect, it } from '@jest/globals';
import { accessOf, Public } from '../access.decorator.js';
import { AccessGuard } from '../access.guard.js';
import { Admission } from './admission.js';

class Controller {
  @Public()
  open(this: void): void {}

  closed(this: void): void {}
}

const { open, closed } = Controller.prototype;
const reflector = new Reflector();
const REPLY = {} as FastifyReply;

function contextOf(handler: () => void, request: FastifyRequest): ExecutionContext {
  const http = { getRequest: () => request, getResponse: () => REPLY };
  const context = { getHandler: () => handler, getClass: () => Controller };
  return { ...context, switchToHttp: () => http } as unknown as ExecutionContext;
}

/** Notes its name when it is called, and again when it has waited. */
class NotingGuard extends AccessGuard {
  constructor(
    private readonly name: string,
    private readonly noted: string[],
    private readonly hasToWait: boolean,
  ) {
    super(reflector);
  }

  check(): void | Promise<void> {
    this.noted.push(this.name);
    if (!this.hasToWait) return;
    return Promise.resolve().then(() => void this.noted.push(`${this.name} has waited`));
  }
}

describe('Admission', () => {
  const access = accessOf(reflector, contextOf(open, {} as FastifyRequest));

  it('should make no promise where no guard has to wait', () => {
    const noted: string[] = [];
    const request = {} as FastifyRequest;
    const admission = new Admission(['a', 'b'].map((name) => new NotingGuard(name, noted, false)));
    expect(admission.admit(request, REPLY, access)).toBeUndefined();
    expect(noted).toEqual(['a', 'b']);
    expect(request.admittedBy).toBe(access);
  });

  it('should ask a guard when the one before it has let the request pass', async () => {
    const noted: string[] = [];
    const request = {} as FastifyRequest;
    const guards = ['a', 'b', 'c'].map((name) => new NotingGuard(name, noted, name !== 'b'));
    const pending = new Admission(guards).admit(request, REPLY, access);
    expect(request.admittedBy).toBeUndefined();
    await pending;
    expect(noted).toEqual(['a', 'a has waited', 'b', 'c', 'c has waited']);
    expect(request.admittedBy).toBe(access);
  });
});

describe('AccessGuard', () => {
  it('should check what was not admitted by the rules of the same route', async () => {
    const noted: string[] = [];
    const guard = new NotingGuard('guard', noted, true);
    const request = {} as FastifyRequest;
    await expect(guard.canActivate(contextOf(open, request))).resolves.toBe(true);
    request.admittedBy = accessOf(reflector, contextOf(open, request));
    expect(guard.canActivate(contextOf(open, request))).toBe(true);
    expect(noted).toHaveLength(2);
    await expect(guard.canActivate(contextOf(closed, request))).resolves.toBe(true);
    expect(noted).toHaveLength(4);
  });
});
