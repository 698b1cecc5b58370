import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import type { HydratedDocument, Types } from 'mongoose';

/** A counter as rate-limiter-flexible keeps it; declared for its indexes. */
@Schema({
  collection: 'rate_limits',
  versionKey: false,
  strict: 'throw',
  strictQuery: 'throw',
})
export class RateLimit {
  readonly _id!: Types.ObjectId;

  /** What is counted, and for whom: no address in plain. */
  @Prop({ type: String, required: true })
  readonly key!: string;

  @Prop({ type: Number, required: true })
  readonly points!: number;

  /** End of the window. */
  @Prop({ type: Date })
  readonly expire?: Date;
}

export type RateLimitDocument = HydratedDocument<RateLimit>;
export const RateLimitSchema = SchemaFactory.createForClass(RateLimit);

// Every count; one counter per key, so that counting is atomic.
RateLimitSchema.index({ key: 1 }, { unique: true });
// Housekeeping: windows that have ended go.
RateLimitSchema.index({ expire: 1 }, { expireAfterSeconds: 0 });
