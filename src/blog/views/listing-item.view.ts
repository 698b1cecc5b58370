import { ApiProperty } from '@nestjs/swagger';
import { TIME } from '../../common/openapi/properties.js';
import { LIVE_FIELDS, type LiveField } from '../blog-fields.js';
import type { Blog, LiveBlog } from '../blog.schema.js';
import { BlogView, toBlogView } from './blog.view.js';

/** An item in a public list. */
export class ListingItemView extends BlogView {
  @ApiProperty({ ...TIME, description: 'First publication' })
  readonly publishedAt!: Date;
}

/** The fields that a list reads: all of `live` but the fields derived for search, such as `tagKeys`. */
export const LISTING_ITEM_FIELDS: readonly string[] = [
  'live.at',
  ...LIVE_FIELDS.map((field) => `live.${field}`),
  'score',
];

export type ListingItemSource = Pick<Blog, '_id' | 'score'> & {
  readonly live: Pick<LiveBlog, 'at' | LiveField>;
};

export function toListingItemView(blog: ListingItemSource): ListingItemView {
  return { ...toBlogView(blog, blog.live), publishedAt: blog.live.at };
}
