import { Password } from '../../auth/dto/password.decorator.js';

export class DeleteAccountDto {
  @Password({ min: 0, optional: true })
  readonly password?: string;
}
