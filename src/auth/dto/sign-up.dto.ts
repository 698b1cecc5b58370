import { HttpUrl } from '../../platform/http/validation/http-url.js';
import { NewEmail } from '../../user/email.decorator.js';
import { NewName } from '../../user/names/name.decorator.js';
import { Password } from './password.decorator.js';

export class SignUpDto {
  @NewEmail()
  readonly email!: string;

  @Password({ min: 8 })
  readonly password!: string;

  @NewName()
  readonly name!: string;

  @HttpUrl({ example: 'https://example.org/ada.png' })
  readonly profilePicUrl?: string | null;
}
