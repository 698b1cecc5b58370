import { ApiProperty } from '@nestjs/swagger';
import { TIME } from '../../common/openapi/properties.js';
import { toContent } from '../blog-content.js';
import type { Blog, LiveBlog } from '../blog.schema.js';
import { BlogFields } from './blog-fields.js';

/** One row of a public list. */
export class ListingItemView extends BlogFields {
  @ApiProperty({ ...TIME, description: 'First publication' })
  readonly publishedAt!: Date;
}

/** Named one by one, so that a list never carries the word lists of `live` over the wire. */
export const LISTING_ITEM_FIELDS = [
  'live.at',
  'live.title',
  'live.description',
  'live.slug',
  'live.tags',
  'live.imgUrl',
  'score',
] as const;

export type ListingItemSource = Pick<Blog, '_id' | 'score'> & {
  readonly live: Pick<LiveBlog, 'at' | 'title' | 'description' | 'slug' | 'tags' | 'imgUrl'>;
};

export function toListingItemView(blog: ListingItemSource): ListingItemView {
  const { title, description, slug, imgUrl, tags } = toContent(blog.live);
  return {
    _id: blog._id.toHexString(),
    title,
    description,
    slug,
    ...(imgUrl === undefined ? {} : { imgUrl }),
    score: blog.score,
    tags,
    publishedAt: blog.live.at,
  };
}
