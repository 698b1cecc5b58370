import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, type Types } from 'mongoose';
import { STRICT } from '../database/strict-schema.js';

/** How long a repetition of a request is told that its record was removed, in seconds. */
const KEPT = 86_400;

/** What is left of a removed record that was created with an `Idempotency-Key`. */
@Schema({ collection: 'removed_records', ...STRICT })
export class RemovedRecord {
  /** That of the record. */
  @Prop({ type: SchemaTypes.ObjectId, required: true })
  readonly _id!: Types.ObjectId;

  @Prop({ type: String, required: true })
  readonly requestHash!: string;

  /** When it was removed; of a preview, when it expires. */
  @Prop({ type: Date, required: true })
  readonly goneAt!: Date;
}

export const RemovedRecordSchema = SchemaFactory.createForClass(RemovedRecord);

// TTL: after it, the key may be used anew.
RemovedRecordSchema.index({ goneAt: 1 }, { expireAfterSeconds: KEPT });
