import { ApiProperty, ApiPropertyOptional, IntersectionType, PickType } from '@nestjs/swagger';
import { BLOG_FIELDS, LIVE_FIELDS, type ViewFields } from '../../core/blog-fields.js';
import type { CoverView } from '../../media/cover/cover.view.js';
import type { LinksOf } from '../../../platform/picture/picture-address.js';
import type { DiffSide } from '../diff/diff-fields.js';
import type { RevisionEntry } from '../store/revision-entry.js';
import { BlogView, picturesOf } from '../../core/views/blog.view.js';
import { RevisionItemView, toRevisionItemView } from './revision-item.view.js';

/** A revision with its content: all fields that the author writes. */
export class RevisionView
  extends IntersectionType(RevisionItemView, PickType(BlogView, LIVE_FIELDS))
  implements ViewFields<CoverView>
{
  @ApiProperty({ description: 'Cleaned HTML', example: BLOG_FIELDS.draftText.example })
  readonly draftText!: string;

  @ApiPropertyOptional({
    description: 'The Markdown from which it was made, if it was',
    example: BLOG_FIELDS.draftMarkdown.example,
  })
  readonly draftMarkdown?: string;
}

export function toRevisionView(
  entry: RevisionEntry,
  { title, description, slug, tags, draftText, draftMarkdown, ...pictures }: DiffSide,
  names: ReadonlyMap<string, string>,
  linksOf: LinksOf,
): RevisionView {
  const item = toRevisionItemView(entry, title, names);
  const texts = { draftText, ...(draftMarkdown === undefined ? {} : { draftMarkdown }) };
  return { ...item, description, slug, ...picturesOf(pictures, linksOf), tags, ...texts };
}
