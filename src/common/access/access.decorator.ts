import { SetMetadata, type CustomDecorator, type ExecutionContext } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import type { RoleCode } from './role-code.js';

const ACCESS = Symbol('access');

/** What a request must present before its handler runs. */
export interface Access {
  readonly apiKey: boolean;
  /** `expired-ok`: the signature must hold, but the token may have expired (refresh). */
  readonly token: 'required' | 'expired-ok' | 'none';
  readonly role: RoleCode | null;
}

/** Without a decorator everything is closed: an API key and a valid access token. */
const CLOSED: Access = { apiKey: true, token: 'required', role: null };

/** No access token is needed; `{ apiKey: false }` opens the route to everyone. */
export const Public = ({ apiKey = true } = {}): CustomDecorator<symbol> =>
  SetMetadata(ACCESS, { apiKey, token: 'none', role: null } satisfies Access);

/** A token whose signature holds is enough, even when it has expired. */
export const AcceptExpiredToken = (): CustomDecorator<symbol> =>
  SetMetadata(ACCESS, { ...CLOSED, token: 'expired-ok' } satisfies Access);

/** The caller must hold exactly this role; roles are not hierarchical. */
export const RequireRole = (role: RoleCode): CustomDecorator<symbol> =>
  SetMetadata(ACCESS, { ...CLOSED, role } satisfies Access);

/** By controller and handler: three guards ask with every request, and the answer never changes. */
const found = new WeakMap<object, WeakMap<object, Access>>();

/** What the guards enforce on this handler: its own decorator, else its controller's, else closed. */
export function accessOf(
  reflector: Reflector,
  context: Pick<ExecutionContext, 'getHandler' | 'getClass'>,
): Access {
  const [handler, controller] = [context.getHandler(), context.getClass()];
  const known = found.get(controller)?.get(handler);
  if (known) return known;
  const access =
    reflector.getAllAndOverride<Access | undefined>(ACCESS, [handler, controller]) ?? CLOSED;
  found.set(controller, (found.get(controller) ?? new WeakMap()).set(handler, access));
  return access;
}
