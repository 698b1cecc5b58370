import { SetMetadata, type CustomDecorator, type ExecutionContext } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import type { RoleCode } from './role-code.js';

const ACCESS = Symbol('access');

/** What a request must present before its handler runs. */
export interface Access {
  readonly apiKey: boolean;
  /**
   * The access token that is needed. With `expired-ok`, which the refresh of tokens uses, the token may have
   * expired, but its signature must be valid.
   */
  readonly token: 'required' | 'expired-ok' | 'none';
  readonly role: RoleCode | null;
}

/**
 * The access rules of a handler that has no decorator of this file: an API key and a valid access token are
 * needed.
 */
const CLOSED: Access = { apiKey: true, token: 'required', role: null };

/**
 * Opens a handler to clients without an access token; `{ apiKey: false }` opens it also to clients without an
 * API key.
 */
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

/**
 * Returns the access rules of a handler: those of its own decorator, else those of its controller's
 * decorator, else CLOSED.
 */
export function accessOf(
  reflector: Reflector,
  context: Pick<ExecutionContext, 'getHandler' | 'getClass'>,
): Access {
  const targets = [context.getHandler(), context.getClass()];
  return reflector.getAllAndOverride<Access | undefined>(ACCESS, targets) ?? CLOSED;
}
