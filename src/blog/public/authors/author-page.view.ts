import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { HTTP_ADDRESS, ID, TIME } from '../../../platform/http/openapi/properties.js';
import { ShownPictureView } from '../../../platform/picture/shown-picture.view.js';

/** An author of live blogs, as readers see the author. */
export class AuthorPageView {
  @ApiProperty(ID)
  readonly _id!: string;

  @ApiProperty({ example: 'Ada Lovelace' })
  readonly name!: string;

  @ApiPropertyOptional({ ...HTTP_ADDRESS, example: 'https://example.org/ada.png' })
  readonly profilePicUrl?: string;

  @ApiPropertyOptional({ type: ShownPictureView })
  readonly picture?: ShownPictureView;

  @ApiProperty({ type: 'integer', minimum: 1, example: 12, description: 'Number of live blogs' })
  readonly blogs!: number;

  @ApiProperty({ ...TIME, description: 'First publication of the oldest blog' })
  readonly firstPublishedAt!: Date;

  @ApiProperty({ ...TIME, description: 'First publication of the newest blog' })
  readonly lastPublishedAt!: Date;
}
