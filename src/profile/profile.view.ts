import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ID } from '../platform/http/openapi/properties.js';
import { ShownPictureView } from '../platform/picture/shown-picture.view.js';
import type { UserView } from '../user/views/user.view.js';

/** What other signed-in users see of a user: no email address. */
export class ProfileView {
  @ApiProperty(ID)
  readonly _id!: string;

  @ApiProperty({ example: 'Ada Lovelace' })
  readonly name!: string;

  @ApiPropertyOptional({ example: 'https://example.org/ada.png' })
  readonly profilePicUrl?: string;

  @ApiPropertyOptional({ type: ShownPictureView })
  readonly picture?: ShownPictureView;
}

export function toProfileView({ _id, name, profilePicUrl, picture }: UserView): ProfileView {
  return {
    _id,
    name,
    ...(profilePicUrl === undefined ? {} : { profilePicUrl }),
    ...(picture ? { picture } : {}),
  };
}
