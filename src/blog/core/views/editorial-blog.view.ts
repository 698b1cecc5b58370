import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { TIME } from '../../../platform/http/openapi/properties.js';
import { AuthorView, toPersonView } from '../../../user/views/author.view.js';
import type { LinksOf } from '../../../platform/picture/picture-address.js';
import { BLOG_FIELDS } from '../blog-fields.js';
import type { ServedTexts } from '../html/html-cleaner.js';
import { markdownOf } from '../markdown/markdown-digest.js';
import type { Blog } from '../blog.schema.js';
import type { BlogVersion } from './blog.view.js';
import { EditorialItemView, toEditorialItemView } from './editorial-item.view.js';

const TEXT_EXAMPLE = BLOG_FIELDS.draftText.example;

/** Why an editor returned a blog. */
export class BlogReturnView {
  @ApiProperty({ example: 'Please name your sources.' })
  readonly note!: string;

  @ApiProperty({ type: AuthorView })
  readonly by!: AuthorView;

  @ApiProperty(TIME)
  readonly at!: Date;
}

/**
 * One blog as its author or an editor sees it. The author sees the working copy; an editor sees the
 * submitted working copy, else the live version.
 */
export class EditorialBlogView extends EditorialItemView {
  @ApiProperty({ description: 'Cleaned HTML', example: TEXT_EXAMPLE })
  readonly draftText!: string;

  @ApiPropertyOptional({
    description: 'The Markdown from which `draftText` was made, if it was',
    example: BLOG_FIELDS.draftMarkdown.example,
  })
  readonly draftMarkdown?: string;

  @ApiPropertyOptional({
    description: 'The last published text, if there is one',
    example: TEXT_EXAMPLE,
  })
  readonly text?: string;

  @ApiPropertyOptional({ ...TIME, description: 'First publication, if there was one' })
  readonly publishedAt?: Date;

  @ApiPropertyOptional({
    description: 'What the author told the editors with the submission, while it is in review',
    example: 'The second chapter is new.',
  })
  readonly submissionNote?: string;

  @ApiPropertyOptional({
    type: BlogReturnView,
    description: 'Why an editor returned it; until the next submission, and for the author only',
  })
  readonly returned?: BlogReturnView;
}

/** @param version as for `toEditorialItemView`; `draftText` must be the text of this version */
export function toEditorialBlogView(
  blog: Blog,
  version: BlogVersion,
  { draftText, text }: ServedTexts,
  names: ReadonlyMap<string, string>,
  linksOf: LinksOf,
): EditorialBlogView {
  const { publishedAt, submitted, submissionNote } = blog;
  // Only the working copy has Markdown.
  const draftMarkdown = version === blog ? markdownOf(blog) : undefined;
  return {
    ...toEditorialItemView(blog, version, names, linksOf),
    draftText,
    ...(draftMarkdown === undefined ? {} : { draftMarkdown }),
    ...(publishedAt ? { text, publishedAt } : {}),
    ...(submitted && submissionNote ? { submissionNote } : {}),
  };
}

/** One blog as its author sees it: the working copy, and why it was returned. */
export function toAuthorBlogView(
  blog: Blog,
  texts: ServedTexts,
  names: ReadonlyMap<string, string>,
  linksOf: LinksOf,
): EditorialBlogView {
  const { returned } = blog;
  return {
    ...toEditorialBlogView(blog, blog, texts, names, linksOf),
    // The account of the editor may have been deleted a moment ago.
    ...(returned && names.has(returned.by.toHexString())
      ? { returned: { ...returned, by: toPersonView(returned.by, names) } }
      : {}),
  };
}
