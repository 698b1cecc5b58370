import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import { STRICT } from '../../platform/database/strict-schema.js';

/** What the event log tells of. */
export const EVENT_TYPES = [
  'blog.published',
  'blog.updated',
  'blog.unpublished',
  'blog.deleted',
  'blog.submitted',
  'blog.returned',
  'author.renamed',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/**
 * What clients are told of an event. Of an article that is not live it holds `_id` and `rev`, and after
 * an article was taken down also the slug and the cache tags that were public.
 */
export interface EventData {
  /** The id of the blog, or of the author. */
  readonly _id: string;
  /** The revision number of the blog after the transition. */
  readonly rev?: number;
  /** The live slug; of an article that was taken down the last one. */
  readonly slug?: string;
  /** The live slug before, if this event has changed it. */
  readonly formerSlug?: string;
  /** The names by which a CDN purges: of what readers saw before the event, and of what they see after it. */
  readonly cacheTags?: readonly string[];
}

/** An event that is not in the log yet. */
export interface NewEvent {
  /** The same however often the event is given to the log. */
  readonly id: string;
  readonly type: EventType;
  /** When it happened. */
  readonly at: Date;
  readonly data: EventData;
}

const EventDataSchema = new MongooseSchema<EventData>(
  {
    _id: { type: String, required: true },
    rev: Number,
    slug: String,
    formerSlug: String,
    cacheTags: { type: [String], default: undefined },
  },
  { _id: false, strict: 'throw' },
);

/** An event in the log. */
@Schema({ collection: 'events', ...STRICT })
export class LoggedEvent implements NewEvent {
  /** Its number, `seq` in the API. The numbers have no gaps. */
  @Prop({ type: Number, required: true })
  readonly _id!: number;

  @Prop({ type: String, required: true })
  readonly id!: string;

  @Prop({ type: String, enum: EVENT_TYPES, required: true })
  readonly type!: EventType;

  @Prop({ type: Date, required: true })
  readonly at!: Date;

  @Prop({ type: EventDataSchema, required: true })
  readonly data!: EventData;

  /** When it was added to the log. */
  @Prop({ type: Date, required: true })
  readonly loggedAt!: Date;
}

export const LoggedEventSchema = SchemaFactory.createForClass(LoggedEvent);

// An event is in the log once.
LoggedEventSchema.index({ id: 1 }, { unique: true });
