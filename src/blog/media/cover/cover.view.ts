import { ApiProperty } from '@nestjs/swagger';
import type { LinksOf } from '../../../platform/picture/picture-address.js';
import {
  ShownPictureView,
  toShownPictureView,
} from '../../../platform/picture/shown-picture.view.js';
import type { Cover } from './cover.js';

/** The cover of an article, ready for a site. */
export class CoverView extends ShownPictureView {
  @ApiProperty({ example: 'A brass engine' })
  readonly alt!: string;
}

/** @param linksOf gives the cover the addresses that the reader of the view may open */
export function toCoverView(cover: Cover, linksOf: LinksOf): CoverView {
  return { ...toShownPictureView(cover, linksOf), alt: cover.alt };
}
