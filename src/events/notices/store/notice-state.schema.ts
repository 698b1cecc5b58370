import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { STRICT } from '../../../platform/database/strict-schema.js';

/** The id of the only record. */
export const NOTICE_STATE = 'notices';

/** What all notices share. */
@Schema({ collection: 'notice_state', ...STRICT })
export class NoticeState {
  @Prop({ type: String, required: true })
  readonly _id!: typeof NOTICE_STATE;

  /** The number of the newest notice, also if that one is gone: a number is never used again. */
  @Prop({ type: Number })
  readonly lastSeq?: number;

  /** The end of the time whose digests are in the outbox of mails. */
  @Prop({ type: Date })
  readonly digestedUntil?: Date;
}

export const NoticeStateSchema = SchemaFactory.createForClass(NoticeState);
