import { HttpUrl } from '../../platform/http/validation/http-url.js';
import { Text } from '../../platform/http/validation/text.decorator.js';
import { Email } from '../../user/email.decorator.js';
import { Password } from './password.decorator.js';

export class SignUpDto {
  @Email()
  readonly email!: string;

  @Password({ min: 8 })
  readonly password!: string;

  @Text({ min: 1, max: 200, example: 'Ada Lovelace' })
  readonly name!: string;

  @HttpUrl({ example: 'https://example.org/ada.png' })
  readonly profilePicUrl?: string | null;
}
