import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { BLOG_FIELDS } from '../../core/blog-fields.js';
import { REVISION_TRANSITIONS, type RevisionEntry } from '../store/revision-entry.js';
import { TIME } from '../../../platform/http/openapi/properties.js';
import { AuthorView, toPersonView } from '../../../user/views/author.view.js';

/** An item in the list of the revisions that a blog keeps. */
export class RevisionItemView {
  @ApiProperty({ type: 'integer', minimum: 0, example: 2, description: 'The revision number' })
  readonly rev!: number;

  @ApiProperty({ enum: REVISION_TRANSITIONS, example: 'submit' })
  readonly move!: string;

  /** Absent for an imported blog, and for a publication by an older version, which did not store it. */
  @ApiPropertyOptional({ type: AuthorView })
  readonly by?: AuthorView;

  @ApiProperty(TIME)
  readonly at!: Date;

  @ApiProperty({ example: BLOG_FIELDS.title.example })
  readonly title!: string;
}

export function toRevisionItemView(
  { rev, move: transition, by, at }: RevisionEntry,
  title: string,
  names: ReadonlyMap<string, string>,
): RevisionItemView {
  return {
    rev,
    move: transition,
    ...(by === null ? {} : { by: toPersonView(by, names) }),
    at,
    title,
  };
}
