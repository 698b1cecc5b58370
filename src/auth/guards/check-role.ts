import type { Caller } from '../../platform/http/access/current-user.decorator.js';
import type { RoleCode } from '../../platform/http/access/role-code.js';
import { InsufficientRoleError } from '../auth.errors.js';

/**
 * @param role the role that the route requires, or null
 * @throws InsufficientRoleError when the caller does not have it
 */
export function checkRole(role: RoleCode | null, caller: Caller | undefined): void {
  if (role !== null && !caller?.roles.includes(role)) throw new InsufficientRoleError();
}
