import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { TIME } from '../../common/openapi/properties.js';
import { BLOG_FIELDS } from '../blog-fields.js';
import type { ServedTexts } from '../html/html-cleaner.js';
import type { Blog } from '../blog.schema.js';
import { EditorialItemView, editorVersion, toEditorialItemView } from './editorial-item.view.js';

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

export function toAuthorBlogView(
  blog: Blog,
  { draftText, text }: ServedTexts,
  names: ReadonlyMap<string, string>,
): EditorialBlogView {
  return {
    ...toEditorialItemView(blog, blog, names),
    draftText,
    ...publicationOf(blog, text),
  };
}

export function toEditorBlogView(
  blog: Blog,
  { draftText, text }: ServedTexts,
  names: ReadonlyMap<string, string>,
): EditorialBlogView {
  return {
    ...toEditorialItemView(blog, editorVersion(blog), names),
    draftText: blog.submitted ? draftText : text,
    ...publicationOf(blog, text),
  };
}

function publicationOf(
  { publishedAt }: Blog,
  text: string,
): Pick<EditorialBlogView, 'text' | 'publishedAt'> {
  return publishedAt ? { text, publishedAt } : {};
}
