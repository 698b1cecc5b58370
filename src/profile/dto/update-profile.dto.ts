import { HttpUrl } from '../../platform/http/validation/http-url.js';
import { ChangedName } from '../../user/names/name.decorator.js';

export class UpdateProfileDto {
  @ChangedName()
  readonly name?: string;

  @HttpUrl({
    example: 'https://example.org/ada.png',
    description: 'Instead of `picture`',
  })
  readonly profilePicUrl?: string | null;
}
