import { ApiProperty, OmitType } from '@nestjs/swagger';
import { BLOG_FIELDS } from '../../core/blog-fields.js';
import type { Blog } from '../../core/blog.schema.js';
import type { LinksOf } from '../../../platform/picture/picture-address.js';
import { BlogView, toBlogView } from '../../core/views/blog.view.js';

/**
 * The working copy of a blog, as whoever has the token of a preview sees it: only what an article
 * shows.
 */
export class PreviewView extends OmitType(BlogView, ['_id', 'description', 'slug', 'score']) {
  @ApiProperty({ description: 'Cleaned HTML', example: BLOG_FIELDS.draftText.example })
  readonly text!: string;
}

/** @param text the cleaned text, as `HtmlCleaner.servedText` returns it */
export function toPreviewView(blog: Blog, text: string, linksOf: LinksOf): PreviewView {
  const { title, tags, imgUrl, cover } = toBlogView(blog, blog, linksOf);
  return { title, text, tags, imgUrl, cover };
}
