import { Password } from './password.decorator.js';

export class ChangePasswordDto {
  @Password({ min: 0 })
  readonly currentPassword!: string;

  @Password({ min: 8 })
  readonly newPassword!: string;
}
