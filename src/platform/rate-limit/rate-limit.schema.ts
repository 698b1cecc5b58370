import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import type { Types } from 'mongoose';
import { STRICT } from '../database/strict-schema.js';

/** A counter of rate-limiter-flexible. The schema exists so that migrations create its indexes. */
@Schema({ collection: 'rate_limits', ...STRICT })
export class RateLimit {
  readonly _id!: Types.ObjectId;

  /** The key of the counter: what is counted and for whom. An email address is hashed. */
  @Prop({ type: String, required: true })
  readonly key!: string;

  @Prop({ type: Number, required: true })
  readonly points!: number;

  /** The end of the window. */
  @Prop({ type: Date })
  readonly expire?: Date;
}

export const RateLimitSchema = SchemaFactory.createForClass(RateLimit);

// Finds a counter by its key. The index is unique, so that concurrent requests share one record.
RateLimitSchema.index({ key: 1 }, { unique: true });
// TTL index by which MongoDB deletes counters whose window has ended.
RateLimitSchema.index({ expire: 1 }, { expireAfterSeconds: 0 });
