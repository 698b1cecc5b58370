import { ROLE_CODES, type RoleCode } from '../../platform/http/access/role-code.js';
import { Choices } from '../../platform/http/validation/choices.decorator.js';
import { Flag } from '../../platform/http/validation/flag.decorator.js';

export const Roles = (): PropertyDecorator =>
  Choices(ROLE_CODES, { noun: 'roles', example: ['LEARNER', 'AUTHOR'] });

export class SetRolesDto {
  @Roles()
  readonly roles!: readonly RoleCode[];
}

export class SetStatusDto {
  @Flag()
  readonly enabled!: boolean;
}
