import { Email } from '../../../user/email.decorator.js';

export class ForgotPasswordDto {
  @Email()
  readonly email!: string;
}
