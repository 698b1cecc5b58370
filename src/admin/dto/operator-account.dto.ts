import { Password } from '../../auth/dto/password.decorator.js';
import type { RoleCode } from '../../platform/http/access/role-code.js';
import { Text } from '../../platform/http/validation/text.decorator.js';
import { Email } from '../../user/email.decorator.js';
import { Roles } from './change-user.dto.js';

export class NewAccountDto {
  @Email()
  readonly email!: string;

  @Password({ min: 8 })
  readonly password!: string;

  @Text({ min: 1, max: 200, example: 'Ada Lovelace' })
  readonly name!: string;

  @Roles()
  readonly roles!: readonly RoleCode[];
}

export class NewPasswordDto {
  @Password({ min: 8 })
  readonly password!: string;
}
