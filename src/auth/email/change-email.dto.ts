import { NewEmail } from '../../user/email.decorator.js';
import { Password } from '../dto/password.decorator.js';

export class ChangeEmailDto {
  @NewEmail()
  readonly email!: string;

  @Password({ min: 0, optional: true })
  readonly password?: string;
}
