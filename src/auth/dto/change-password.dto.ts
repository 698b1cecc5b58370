import { Password } from './password.decorator.js';

export class ChangePasswordDto {
  /** Left out by an account without a password, after a sign-in by passkey or provider. */
  @Password({ min: 0, optional: true })
  readonly currentPassword?: string;

  @Password({ min: 8 })
  readonly newPassword!: string;
}
