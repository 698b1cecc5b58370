import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, type Types } from 'mongoose';
import { STRICT } from '../../../platform/database/strict-schema.js';
import { NOTICE_KIND_NAMES, type NoticeKind } from '../notice-kinds.js';

/** Tells one person that something has happened. It has ids only, and is put into words when it is read or sent. */
@Schema({ collection: 'notices', ...STRICT })
export class Notice {
  /** The number of the notice, `seq` in the API. Notices become visible in the order of their numbers. */
  @Prop({ type: Number, required: true })
  readonly _id!: number;

  /** Whom it tells. */
  @Prop({ type: SchemaTypes.ObjectId, required: true })
  readonly user!: Types.ObjectId;

  @Prop({ type: String, enum: NOTICE_KIND_NAMES, required: true })
  readonly kind!: NoticeKind;

  /** Id of what has happened: nobody gets two notices of it. */
  @Prop({ type: String, required: true })
  readonly cause!: string;

  /** Who did it; missing for the server itself. */
  @Prop({ type: SchemaTypes.ObjectId })
  readonly by?: Types.ObjectId;

  @Prop({ type: SchemaTypes.ObjectId })
  readonly blog?: Types.ObjectId;

  @Prop({ type: SchemaTypes.ObjectId })
  readonly comment?: Types.ObjectId;

  @Prop({ type: Date, required: true })
  readonly createdAt!: Date;

  /** Missing once it was read. */
  @Prop({ type: Boolean })
  readonly unread?: true;
}

export const NoticeSchema = SchemaFactory.createForClass(Notice);

export const NEWEST_FIRST = { _id: -1 } as const;
export const NOTICE_INDEXES = {
  all: { user: 1, ...NEWEST_FIRST },
  unread: { user: 1, unread: 1, ...NEWEST_FIRST },
} as const;

/** Seconds for which a notice is kept: 90 days. */
const KEPT_SECONDS = 7_776_000;

// Makes the notices of one cause unique.
NoticeSchema.index({ cause: 1, user: 1 }, { unique: true });
// These two indexes serve the list of a user, the stream, and the end of an account.
NoticeSchema.index(NOTICE_INDEXES.all);
NoticeSchema.index(NOTICE_INDEXES.unread);
// TTL index by which MongoDB deletes notices. It also finds what the digests of a day may tell.
NoticeSchema.index({ createdAt: 1 }, { expireAfterSeconds: KEPT_SECONDS });
