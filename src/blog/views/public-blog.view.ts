import { ApiProperty } from '@nestjs/swagger';
import { TIME } from '../../common/openapi/properties.js';
import { AuthorView, toAuthorView } from '../../user/views/author.view.js';
import { BLOG_FIELDS } from '../blog-fields.js';
import type { Blog, LiveBlog } from '../blog.schema.js';
import { BlogView, toBlogView } from './blog.view.js';

/** One published blog, as any holder of an API key reads it. */
export class PublicBlogView extends BlogView {
  @ApiProperty({ description: 'Cleaned HTML', example: BLOG_FIELDS.draftText.example })
  readonly text!: string;

  @ApiProperty({ type: AuthorView })
  readonly author!: AuthorView;

  @ApiProperty({ ...TIME, description: 'First publication' })
  readonly publishedAt!: Date;
}

/** Nothing of the working copy is read, so nothing of it can leak. */
export const PUBLIC_BLOG_FIELDS = ['live', 'text', 'author', 'score', 'htmlVersion'] as const;

export type PublicBlogSource = Pick<Blog, '_id' | 'text' | 'author' | 'score' | 'htmlVersion'> & {
  readonly live: LiveBlog;
};

/** @param text what HtmlCleaner says is to be served of `blog.text` */
export function toPublicBlogView(
  blog: PublicBlogSource,
  text: string,
  authorNames: ReadonlyMap<string, string>,
): PublicBlogView {
  const { _id, title, description, slug, imgUrl, score, tags } = toBlogView(blog, blog.live);
  return {
    _id,
    title,
    description,
    text,
    slug,
    author: toAuthorView(blog.author, authorNames),
    imgUrl,
    score,
    tags,
    publishedAt: blog.live.at,
  };
}
