import type { RoleCode } from '../../platform/http/access/role-code.js';
import { NewEmail } from '../../user/email.decorator.js';
import { NewName } from '../../user/names/name.decorator.js';
import { Roles } from '../dto/change-user.dto.js';

export class CreateInvitationDto {
  @NewEmail()
  readonly email!: string;

  @Roles()
  readonly roles!: readonly RoleCode[];

  @NewName({ optional: true })
  readonly name?: string;
}
