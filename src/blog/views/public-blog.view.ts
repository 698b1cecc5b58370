import { ApiProperty } from '@nestjs/swagger';
import { TIME } from '../../common/openapi/properties.js';
import { AuthorView, toAuthorView } from '../../user/views/author.view.js';
import { toContent } from '../blog-content.js';
import type { Blog, LiveBlog } from '../blog.schema.js';
import { BlogFields } from './blog-fields.js';

/** One published blog, as any holder of an API key reads it. */
export class PublicBlogView extends BlogFields {
  @ApiProperty({ description: 'Cleaned HTML', example: '<p>It weaves algebraic patterns.</p>' })
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
  const { title, description, slug, imgUrl, tags } = toContent(blog.live);
  return {
    _id: blog._id.toHexString(),
    title,
    description,
    text,
    slug,
    author: toAuthorView(blog.author, authorNames),
    ...(imgUrl === undefined ? {} : { imgUrl }),
    score: blog.score,
    tags,
    publishedAt: blog.live.at,
  };
}
