import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { TIME } from '../../common/openapi/properties.js';
import { BLOG_FIELDS } from '../blog-fields.js';
import type { ServedTexts } from '../html/html-cleaner.js';
import type { Blog } from '../blog.schema.js';
import type { BlogVersion } from './blog.view.js';
import { EditorialItemView, toEditorialItemView } from './editorial-item.view.js';

const TEXT_EXAMPLE = BLOG_FIELDS.draftText.example;

/**
 * One blog as its author or an editor sees it. The author sees the working copy; an editor sees the
 * submitted working copy, else the live version.
 */
export class EditorialBlogView extends EditorialItemView {
  @ApiProperty({ description: 'Cleaned HTML', example: TEXT_EXAMPLE })
  readonly draftText!: string;

  @ApiPropertyOptional({
    description: 'The last published text, once the blog was live',
    example: TEXT_EXAMPLE,
  })
  readonly text?: string;

  @ApiPropertyOptional({ ...TIME, description: 'First publication, once the blog was live' })
  readonly publishedAt?: Date;
}

/** @param version as `toEditorialItemView` takes it, with the text that belongs to it as `draftText` */
export function toEditorialBlogView(
  blog: Blog,
  version: BlogVersion,
  { draftText, text }: ServedTexts,
  names: ReadonlyMap<string, string>,
): EditorialBlogView {
  const { publishedAt } = blog;
  return {
    ...toEditorialItemView(blog, version, names),
    draftText,
    ...(publishedAt ? { text, publishedAt } : {}),
  };
}
