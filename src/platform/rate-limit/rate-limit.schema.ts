import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import type { Types } from 'mongoose';
import { STRICT } from '../database/strict-schema.js';

/** A counter of rate-limiter-flexible. The schema exists so that migrations create its indexes. */
@Schema({ collection: 'rate_limits', ...STRICT })
export class RateLimit {
  readonly _id!: Types.ObjectId;

  /** What is counted and for whom. An email address is hashed. */
  @Prop({ type: String, required: true })
  readonly key!: string;

  @Prop({ type: Number, required: true })
  readonly points!: number;

  /** When the window ends. */
  @Prop({ type: Date })
  readonly expire?: Date;
}

export const RateLimitSchema = SchemaFactory.createForClass(RateLimit);

// Look-up of a counter. Unique, so that concurrent requests share one record.
RateLimitSchema.index({ key: 1 }, { unique: true });
// TTL: MongoDB deletes counters whose window has ended.
RateLimitSchema.index({ expire: 1 }, { expireAfterSeconds: 0 });
