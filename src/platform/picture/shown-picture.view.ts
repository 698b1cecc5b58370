import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ID } from '../http/openapi/properties.js';
import { SHOWN_FOCUS, type Focus } from './focus.decorator.js';
import type { LinksOf } from './picture-address.js';
import { PictureSourceView } from './picture-source.view.js';
import { factsOf, type ShownPicture } from './shown-picture.js';

/** A picture that an article or a profile shows, ready for a site. */
export class ShownPictureView {
  @ApiProperty({ ...ID, description: 'The picture' })
  readonly media!: string;

  @ApiPropertyOptional(SHOWN_FOCUS)
  readonly focus?: Focus;

  // Short, because dozens of operations have these examples.
  @ApiProperty({ example: 'https://a.example/a.jpg' })
  readonly url!: string;

  @ApiProperty({ type: [PictureSourceView], example: [], description: '[] for one size' })
  readonly sources!: readonly PictureSourceView[];

  @ApiProperty({ type: 'integer', minimum: 1, example: 800 })
  readonly width!: number;

  @ApiProperty({ type: 'integer', minimum: 1, example: 600 })
  readonly height!: number;

  @ApiProperty({
    example: '3OcR',
    description: 'A blurred form, in base64',
  })
  readonly thumbhash!: string;
}

/** @param linksOf gives the picture the addresses that the reader of the view may open */
export function toShownPictureView(picture: ShownPicture, linksOf: LinksOf): ShownPictureView {
  const { media, focus, width, height, thumbhash } = picture;
  return {
    media,
    ...(focus ? { focus } : {}),
    ...linksOf(factsOf(picture)),
    width,
    height,
    thumbhash,
  };
}
