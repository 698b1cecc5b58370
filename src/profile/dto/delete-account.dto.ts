import { Password } from '../../auth/dto/password.decorator.js';

export class DeleteAccountDto {
  @Password({ min: 0 })
  readonly password!: string;
}
