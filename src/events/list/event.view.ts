import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { EXAMPLE_ID, ID, TIME } from '../../platform/http/openapi/properties.js';
import { EVENT_TYPES, SCHEDULE_CHANGES, type LoggedEvent } from '../log/event-log.schema.js';

export class EventDataView {
  @ApiProperty({ ...ID, description: 'Id of the blog; for author.renamed, of the author' })
  readonly _id!: string;

  @ApiPropertyOptional({
    type: 'integer',
    example: 7,
    description:
      'The revision number of the blog: ignore an event with a lower number than you have',
  })
  readonly rev?: number;

  @ApiPropertyOptional({
    example: 'notes-on-the-analytical-engine',
    description: 'The live slug; for an article that was taken down, its last live slug',
  })
  readonly slug?: string;

  @ApiPropertyOptional({
    example: 'notes-on-the-engine',
    description: 'The live slug before this event, if the event has changed it',
  })
  readonly formerSlug?: string;

  @ApiPropertyOptional({
    type: [String],
    example: [`blog-${EXAMPLE_ID}`, 'blogs', `author-list-${EXAMPLE_ID}`, 'tag-history'],
    description: 'The values of `Cache-Tag` to purge from a CDN',
  })
  readonly cacheTags?: string[];

  @ApiPropertyOptional({
    enum: SCHEDULE_CHANGES,
    example: 'publication_cleared',
    description: 'For blog.rescheduled',
  })
  readonly change?: string;
}

/** An event of the log. */
export class EventView {
  @ApiProperty({ type: 'integer', example: 42, description: 'Rises by one from event to event' })
  readonly seq!: number;

  @ApiProperty({
    example: `evt_${EXAMPLE_ID}_7`,
    description: 'Also the `webhook-id` of calls about it',
  })
  readonly id!: string;

  @ApiProperty({ enum: EVENT_TYPES, example: 'blog.updated' })
  readonly type!: string;

  @ApiProperty({ ...TIME, description: 'When it happened' })
  readonly timestamp!: Date;

  @ApiProperty({ type: EventDataView })
  readonly data!: EventDataView;
}

export function toEventView({ _id: seq, id, type, at: timestamp, data }: LoggedEvent): EventView {
  const { _id, rev, slug, formerSlug, cacheTags, change } = data;
  return {
    seq,
    id,
    type,
    timestamp,
    data: {
      _id,
      ...(rev === undefined ? {} : { rev }),
      ...(slug === undefined ? {} : { slug }),
      ...(formerSlug === undefined ? {} : { formerSlug }),
      ...(cacheTags === undefined ? {} : { cacheTags: [...cacheTags] }),
      ...(change === undefined ? {} : { change }),
    },
  };
}
