import { Email } from '../../user/email.decorator.js';
import { Text } from '../../platform/http/validation/text.decorator.js';
import { CODE } from '../factors/dto/code.dto.js';
import { Password } from './password.decorator.js';

export class SignInDto {
  @Email()
  readonly email!: string;

  @Password({ min: 0 })
  readonly password!: string;

  /** The code of the second factor, if the account has one. */
  @Text({ ...CODE, optional: true })
  readonly code?: string;
}
