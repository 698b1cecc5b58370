import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { TIME } from '../../common/openapi/properties.js';
import { editorContent, toContent } from '../blog-content.js';
import type { ServedTexts } from '../html/html-cleaner.js';
import type { Blog } from '../blog.schema.js';
import { EditorialItemView, toEditorialItemView } from './editorial-item.view.js';

/**
 * The author and editor view of one blog (interface, section 2.5). The author sees the working
 * copy; an editor the submitted revision, else the live version.
 */
export class EditorialBlogView extends EditorialItemView {
  @ApiProperty({ description: 'Cleaned HTML', example: '<p>It weaves algebraic patterns.</p>' })
  readonly draftText!: string;

  @ApiPropertyOptional({
    description: 'The last published text, once the blog was live',
    example: '<p>It weaves algebraic patterns.</p>',
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
    ...toEditorialItemView(blog, toContent(blog), names),
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
    ...toEditorialItemView(blog, editorContent(blog), names),
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
