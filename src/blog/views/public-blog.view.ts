import { ApiProperty } from '@nestjs/swagger';
import { TIME } from '../../common/openapi/properties.js';
import { AuthorView, toAuthorView } from '../../user/views/author.view.js';
import { BLOG_FIELDS } from '../blog-fields.js';
import type { Blog, LiveBlog } from '../blog.schema.js';
import { tocOf } from '../html/toc.js';
import { BlogView, toBlogView } from './blog.view.js';
import { HeadingView } from './heading.view.js';

/** One published blog, as readers see it. */
export class PublicBlogView extends BlogView {
  @ApiProperty({ description: 'Cleaned HTML', example: BLOG_FIELDS.draftText.example })
  readonly text!: string;

  @ApiProperty({ type: [HeadingView], description: 'Table of contents; [] without headings' })
  readonly toc!: readonly HeadingView[];

  @ApiProperty({ type: AuthorView })
  readonly author!: AuthorView;

  @ApiProperty({ ...TIME, description: 'First publication' })
  readonly publishedAt!: Date;
}

/** The stored fields that readers see. None of them belongs to the working copy. */
export const PUBLIC_BLOG_FIELDS = ['live', 'text', 'author', 'score', 'htmlVersion'] as const;

export type PublicBlogSource = Pick<Blog, '_id' | 'text' | 'author' | 'score' | 'htmlVersion'> & {
  readonly live: LiveBlog;
};

/** @param text the cleaned text, as `HtmlCleaner.servedText` returns it */
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
    toc: tocOf(text),
    slug,
    author: toAuthorView(blog.author, authorNames),
    imgUrl,
    score,
    tags,
    publishedAt: blog.live.at,
  };
}
