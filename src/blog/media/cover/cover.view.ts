import { ApiProperty, ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { ID } from '../../../platform/http/openapi/properties.js';
import { FOCUS } from '../library/focus.decorator.js';
import { MediaView, PictureSourceView } from '../library/media.view.js';
import type { Focus } from '../records/media.schema.js';
import type { LinksOf } from '../serving/picture-addresses.service.js';
import { factsOf, type Cover } from './cover.js';

/** The cover of an article, ready for a site. */
export class CoverView extends PickType(MediaView, ['alt', 'width', 'height', 'thumbhash']) {
  @ApiProperty({ ...ID, description: 'The picture' })
  readonly media!: string;

  @ApiPropertyOptional(FOCUS)
  readonly focus?: Focus;

  @ApiProperty({ example: 'https://press.example/media/66f1a2b3c4d5e6f708192a3b/1280.jpg' })
  readonly url!: string;

  // Dozens of operations have this example.
  @ApiProperty({ type: [PictureSourceView], example: [], description: '[] for one size' })
  readonly sources!: readonly PictureSourceView[];
}

/** @param linksOf gives the picture the addresses that the reader of the view may open */
export function toCoverView(cover: Cover, linksOf: LinksOf): CoverView {
  const { media, alt, focus, width, height, thumbhash } = cover;
  return {
    media,
    alt,
    ...(focus ? { focus } : {}),
    ...linksOf(factsOf(cover)),
    width,
    height,
    thumbhash,
  };
}
