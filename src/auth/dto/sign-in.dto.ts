import { Email } from '../../user/email.decorator.js';
import { Password } from './password.decorator.js';

export class SignInDto {
  @Email()
  readonly email!: string;

  @Password({ min: 0 })
  readonly password!: string;
}
