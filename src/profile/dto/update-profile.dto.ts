import { HttpUrl } from '../../platform/http/validation/http-url.js';
import { Text } from '../../platform/http/validation/text.decorator.js';

export class UpdateProfileDto {
  @Text({ min: 1, max: 200, example: 'Ada Lovelace', optional: true })
  readonly name?: string;

  @HttpUrl({ example: 'https://example.org/ada.png' })
  readonly profilePicUrl?: string | null;
}
