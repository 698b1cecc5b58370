import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import type { Types } from 'mongoose';
import { STRICT } from '../database/strict-schema.js';

/** A counter, written by rate-limiter-flexible. Declared here so that migrations make its indexes. */
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

// Each count finds its counter by key. Unique, so that concurrent counts share one record.
RateLimitSchema.index({ key: 1 }, { unique: true });
// TTL: MongoDB deletes counters whose window has ended.
RateLimitSchema.index({ expire: 1 }, { expireAfterSeconds: 0 });
