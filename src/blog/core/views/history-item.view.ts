import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { TIME } from '../../../platform/http/openapi/properties.js';
import { AuthorView, toPersonView } from '../../../user/views/author.view.js';
import { BLOG_STATE_NAMES } from '../blog.state.js';
import type { BlogEvent, BlogEventName } from '../../history/blog-event.schema.js';
import { TRANSITIONS } from '../transitions/transition-table.js';

const NO_LONGER_AN_EDITOR = 'whoever scheduled it is no longer an enabled EDITOR';

const REASONS: Readonly<Partial<Record<BlogEventName, string>>> = {
  clearPublication: NO_LONGER_AN_EDITOR,
  passUnpublication: NO_LONGER_AN_EDITOR,
};

const STATE_NAMES = [...BLOG_STATE_NAMES, 'deleted'];

/** One event in the history of a blog. */
export class HistoryItemView {
  @ApiProperty({
    enum: ['create', 'import', ...Object.keys(TRANSITIONS), 'purge', 'migrate'],
    example: 'publish',
  })
  readonly move!: string;

  /** Absent for a migration and an import. */
  @ApiPropertyOptional({ type: AuthorView })
  readonly by?: AuthorView;

  @ApiProperty(TIME)
  readonly at!: Date;

  @ApiPropertyOptional({
    enum: STATE_NAMES,
    example: 'in review',
    description: 'The state before; absent for a creation or an import.',
  })
  readonly from?: string;

  @ApiProperty({ enum: STATE_NAMES, example: 'live', description: 'The state after.' })
  readonly to!: string;

  @ApiProperty({
    type: 'integer',
    example: 3,
    description: 'The revision number after the transition.',
  })
  readonly rev!: number;

  @ApiPropertyOptional({
    example: 'Please name your sources.',
    description:
      'The note of a submission, or the reason of a return; goes with the account of `by`.',
  })
  readonly note?: string;

  @ApiPropertyOptional({
    example: NO_LONGER_AN_EDITOR,
    description: 'Why, if nobody asked for it',
  })
  readonly reason?: string;
}

export function toHistoryItemView(
  { move: transition, by, at, from, to, rev, note }: BlogEvent,
  names: ReadonlyMap<string, string>,
): HistoryItemView {
  const reason = REASONS[transition];
  return {
    move: transition,
    ...(by === null ? {} : { by: toPersonView(by, names) }),
    at,
    ...(from === null ? {} : { from }),
    to,
    rev,
    // The account of the writer may have been deleted a moment ago.
    ...(note && by && names.has(by.toHexString()) ? { note } : {}),
    ...(reason === undefined ? {} : { reason }),
  };
}
