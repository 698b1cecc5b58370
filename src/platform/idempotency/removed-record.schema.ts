import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, type Types } from 'mongoose';
import { STRICT } from '../database/strict-schema.js';

/** Seconds after `goneAt` in which a repetition of the request gets the error that its record was removed. */
const RETENTION_SECONDS = 86_400;

/** What is left of a removed record that was created with an `Idempotency-Key`. */
@Schema({ collection: 'removed_records', ...STRICT })
export class RemovedRecord {
  /** The id of the removed record. */
  @Prop({ type: SchemaTypes.ObjectId, required: true })
  readonly _id!: Types.ObjectId;

  @Prop({ type: String, required: true })
  readonly requestHash!: string;

  /** When the record was removed, or when a preview expires. */
  @Prop({ type: Date, required: true })
  readonly goneAt!: Date;
}

export const RemovedRecordSchema = SchemaFactory.createForClass(RemovedRecord);

// TTL index. Once it has deleted a RemovedRecord, the same `Idempotency-Key` can create a record again.
RemovedRecordSchema.index({ goneAt: 1 }, { expireAfterSeconds: RETENTION_SECONDS });
