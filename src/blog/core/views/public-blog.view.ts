import { ApiProperty } from '@nestjs/swagger';
import type { LinksOf } from '../../../platform/picture/picture-address.js';
import { BLOG_FIELDS } from '../blog-fields.js';
import { tocOf } from '../html/toc.js';
import { HeadingView } from './heading.view.js';
import {
  LISTING_ITEM_FIELDS,
  ListingItemView,
  TEXT_FIELDS,
  toListingItemView,
  type ListingItemSource,
} from './listing-item.view.js';

/** One published blog, as readers see it. */
export class PublicBlogView extends ListingItemView {
  @ApiProperty({ description: 'Cleaned HTML', example: BLOG_FIELDS.draftText.example })
  declare readonly text: string;

  @ApiProperty({ type: [HeadingView], description: 'Table of contents; [] without headings' })
  readonly toc!: readonly HeadingView[];
}

/** The stored fields that readers see. None of them belongs to the working copy. */
export const PUBLIC_BLOG_FIELDS: readonly string[] = [...LISTING_ITEM_FIELDS, ...TEXT_FIELDS];

/** @param text the cleaned text, as `HtmlCleaner.servedText` returns it */
export function toPublicBlogView(
  blog: ListingItemSource,
  text: string,
  authorNames: ReadonlyMap<string, string>,
  linksOf: LinksOf,
): PublicBlogView {
  return { ...toListingItemView(blog, authorNames, linksOf), text, toc: tocOf(text) };
}
