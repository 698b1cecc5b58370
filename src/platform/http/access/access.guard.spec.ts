import { Reflector } from '@nestjs/core';
import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from '@jest/globals';
import { accessOf, Public, type Access } from './access.decorator.js';
import { AccessGuard } from './access.guard.js';

class Controller {
  @Public()
  open(this: void): void {}

  closed(this: void): void {}

  @Public({ apiKey: false })
  openWithoutKey(this: void): void {}
}

const { open, closed, openWithoutKey } = Controller.prototype;
const reflector = new Reflector();

function contextOf(handler: () => void, request: FastifyRequest): ExecutionContext {
  const http = { getRequest: () => request, getResponse: () => ({}) };
  const context = { getHandler: () => handler, getClass: () => Controller };
  return { ...context, switchToHttp: () => http } as unknown as ExecutionContext;
}

class CountingGuard extends AccessGuard {
  checks = 0;

  applies({ apiKey }: Access): boolean {
    return apiKey;
  }

  check(): void {
    this.checks += 1;
  }
}

describe('AccessGuard', () => {
  it('should check a request unless Admission has admitted it by the rules of its route', () => {
    const guard = new CountingGuard(reflector);
    const request = {} as FastifyRequest;
    expect(guard.canActivate(contextOf(open, request))).toBe(true);
    request.admittedBy = accessOf(reflector, contextOf(open, request));
    expect(guard.canActivate(contextOf(open, request))).toBe(true);
    expect(guard.checks).toBe(1);
    expect(guard.canActivate(contextOf(closed, request))).toBe(true);
    expect(guard.checks).toBe(2);
  });

  it('should not check a request to a route to which it does not apply', () => {
    const guard = new CountingGuard(reflector);
    expect(guard.canActivate(contextOf(openWithoutKey, {} as FastifyRequest))).toBe(true);
    expect(guard.checks).toBe(0);
  });
});
