import { Password } from '../../auth/dto/password.decorator.js';
import type { RoleCode } from '../../platform/http/access/role-code.js';
import { NewEmail } from '../../user/email.decorator.js';
import { NewName } from '../../user/names/name.decorator.js';
import { Roles } from './change-user.dto.js';

export class NewAccountDto {
  @NewEmail()
  readonly email!: string;

  @Password({ min: 8 })
  readonly password!: string;

  @NewName()
  readonly name!: string;

  @Roles()
  readonly roles!: readonly RoleCode[];
}

export class NewPasswordDto {
  @Password({ min: 8 })
  readonly password!: string;
}
