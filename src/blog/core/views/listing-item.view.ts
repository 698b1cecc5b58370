import { ApiProperty } from '@nestjs/swagger';
import { TIME } from '../../../platform/http/openapi/properties.js';
import { AuthorView, toAuthorView } from '../../../user/views/author.view.js';
import type { LinksOf } from '../../../platform/picture/picture-address.js';
import { BLOG_FIELDS, LIVE_FIELDS, type LiveField } from '../blog-fields.js';
import type { Blog, LiveBlog } from '../blog.schema.js';
import { BlogView, toBlogView } from './blog.view.js';

/** An item in a public list. */
export class ListingItemView extends BlogView {
  @ApiProperty({
    type: String,
    required: false,
    description: 'Cleaned HTML; in lists with `include=text` only',
    example: BLOG_FIELDS.draftText.example,
  })
  readonly text?: string | undefined;

  @ApiProperty({ type: AuthorView })
  readonly author!: AuthorView;

  @ApiProperty({ ...TIME, description: 'First publication' })
  readonly publishedAt!: Date;

  @ApiProperty({ ...TIME, description: 'Latest publication, or handover' })
  readonly updatedAt!: Date;

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    example: 1,
    description: 'How long reading the text takes, at 230 words a minute',
  })
  readonly readingMinutes!: number;
}

/**
 * The fields that a list reads: the author, the score, and everything in `live` except the words and
 * tag keys, which only queries use.
 */
export const LISTING_ITEM_FIELDS: readonly string[] = [
  ...['at', 'updatedAt', 'readingMinutes', ...LIVE_FIELDS].map((field) => `live.${field}`),
  'author',
  'score',
];

/** The fields that are needed to serve the text of an item. */
export const TEXT_FIELDS = ['text', 'htmlVersion'] as const;

export type ListingItemSource = Pick<
  Blog,
  '_id' | 'author' | 'score' | (typeof TEXT_FIELDS)[number]
> & {
  readonly live: Pick<LiveBlog, 'at' | 'updatedAt' | 'readingMinutes' | LiveField>;
};

/**
 * @param linksOf gives covers the addresses for readers
 * @param text the cleaned text, as `HtmlCleaner.servedText` returns it; left out for a list without texts
 */
export function toListingItemView(
  blog: ListingItemSource,
  authorNames: ReadonlyMap<string, string>,
  linksOf: LinksOf,
  text?: string,
): ListingItemView {
  const view = toBlogView(blog, blog.live, linksOf);
  const { _id, title, description, slug, imgUrl, cover, score, tags } = view;
  const { at: publishedAt, updatedAt, readingMinutes } = blog.live;
  const author = toAuthorView(blog.author, authorNames);
  return {
    _id,
    title,
    description,
    text,
    slug,
    author,
    imgUrl,
    cover,
    score,
    tags,
    publishedAt,
    // A record that is not migrated yet lacks the two fields below.
    updatedAt: updatedAt ?? publishedAt,
    readingMinutes: readingMinutes ?? 1,
  };
}
