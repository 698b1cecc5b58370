import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema, SchemaTypes, type Types } from 'mongoose';
import type { BlogState, MoveName } from '../blog.state.js';

/** The state of a record for its history: one of a blog, or deleted. */
export type RecordState = BlogState | 'deleted';

/** What can happen to a blog: it is created, a move is made, or a migration changes its state. */
export type BlogEventName = 'create' | MoveName | 'migrate';

/** One change of a blog, as the update that made it has appended it to the blog's `events`. */
export interface BlogEvent {
  readonly move: BlogEventName;
  /** The user who made it; null for a migration. */
  readonly by: Types.ObjectId | null;
  readonly at: Date;
  /** null for a creation. */
  readonly from: RecordState | null;
  readonly to: RecordState;
  /** The revision that it was made on; 0 for a creation, and for a record without one. */
  readonly revBefore: number;
  /** The revision that it has made. */
  readonly rev: number;
}

const FIELDS = {
  move: { type: String, required: true },
  by: { type: SchemaTypes.ObjectId, default: null },
  at: { type: Date, required: true },
  from: { type: String, default: null },
  to: { type: String, required: true },
  revBefore: { type: Number, required: true },
} as const;

/** An element of `events` in a blog. */
export const BlogEventSchema = new MongooseSchema<BlogEvent>(
  { ...FIELDS, rev: { type: Number, required: true } },
  { _id: false, strict: 'throw' },
);

/**
 * One event of a blog in `blog_events`, where the relay stores it (docs/adr/0009). The id makes a
 * second insertion of the same event fail. Ids are compared field by field, so that a range of them
 * is the history of one blog, in order, and needs no index of its own.
 */
@Schema({ collection: 'blog_events', versionKey: false, strict: 'throw', strictQuery: 'throw' })
export class StoredBlogEvent {
  @Prop({
    type: new MongooseSchema(
      {
        blog: { type: SchemaTypes.ObjectId, required: true },
        rev: { type: Number, required: true },
      },
      { _id: false, strict: 'throw' },
    ),
    required: true,
  })
  readonly _id!: { readonly blog: Types.ObjectId; readonly rev: number };

  @Prop(FIELDS.move)
  readonly move!: BlogEventName;

  @Prop(FIELDS.by)
  readonly by!: Types.ObjectId | null;

  @Prop(FIELDS.at)
  readonly at!: Date;

  @Prop(FIELDS.from)
  readonly from!: RecordState | null;

  @Prop(FIELDS.to)
  readonly to!: RecordState;

  @Prop(FIELDS.revBefore)
  readonly revBefore!: number;
}

export const StoredBlogEventSchema = SchemaFactory.createForClass(StoredBlogEvent);
