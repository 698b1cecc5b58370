import { LinkToken } from '../../one-time-tokens/link-token.dto.js';
import { Password } from '../../dto/password.decorator.js';

export class ResetPasswordDto {
  @LinkToken()
  readonly token!: string;

  @Password({ min: 8 })
  readonly password!: string;
}
