import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ID, TIME } from '../../../platform/http/openapi/properties.js';
import { SHOWN_FOCUS, type Focus } from '../../../platform/picture/focus.decorator.js';
import type { PictureLinks } from '../../../platform/picture/picture-address.js';
import { PictureSourceView } from '../../../platform/picture/picture-source.view.js';
import type { Media } from '../records/media.schema.js';

/** A picture of the media library. */
export class MediaView {
  @ApiProperty(ID)
  readonly _id!: string;

  @ApiProperty({
    example: 'https://press.example/engine.jpg',
    description: 'Opens it for 15 minutes',
  })
  readonly url!: string;

  @ApiProperty({ type: [PictureSourceView], description: '[] for one size' })
  readonly sources!: readonly PictureSourceView[];

  @ApiProperty({ example: 'engine.jpg' })
  readonly name!: string;

  @ApiProperty({ example: 'A brass engine with rows of gears' })
  readonly alt!: string;

  @ApiPropertyOptional({ example: 'The engine in 1843' })
  readonly caption?: string;

  @ApiPropertyOptional({ example: 'Photo: Ada Lovelace' })
  readonly credit?: string;

  @ApiProperty({ type: 'integer', minimum: 1, example: 2400 })
  readonly width!: number;

  @ApiProperty({ type: 'integer', minimum: 1, example: 1600 })
  readonly height!: number;

  @ApiPropertyOptional(SHOWN_FOCUS)
  readonly focus?: Focus;

  @ApiProperty({
    example: '3OcR',
    description: 'A blurred form, in base64',
  })
  readonly thumbhash!: string;

  @ApiProperty({ type: 'integer', example: 431_220, description: 'Bytes of the full picture' })
  readonly bytes!: number;

  @ApiProperty({ example: false, description: 'Whether it stays unused' })
  readonly pinned!: boolean;

  @ApiPropertyOptional({ ...TIME, description: 'Since when it is unused' })
  readonly unusedSince?: Date;

  @ApiProperty(TIME)
  readonly createdAt!: Date;
}

/** @param fileName the name in its full address */
export function toMediaView(media: Media, fileName: string, links: PictureLinks): MediaView {
  const { _id, alt, caption, credit, width, height, focus, thumbhash, bytes, createdAt } = media;
  return {
    _id: _id.toHexString(),
    ...links,
    name: fileName,
    alt,
    ...(caption === undefined ? {} : { caption }),
    ...(credit === undefined ? {} : { credit }),
    width,
    height,
    ...(focus ? { focus: { x: focus.x, y: focus.y } } : {}),
    thumbhash,
    bytes,
    pinned: media.pinned === true,
    ...(media.unusedSince ? { unusedSince: media.unusedSince } : {}),
    createdAt,
  };
}
