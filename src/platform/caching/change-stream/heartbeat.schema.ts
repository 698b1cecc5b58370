import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { STRICT } from '../../database/strict-schema.js';

/**
 * The collection of the heartbeats. It keeps its original name, because processes of the previous version
 * write to the same collection during a rolling update.
 */
export const HEARTBEATS = 'beats';

/**
 * The heartbeat record of a process. The process updates its record to measure how far its change stream
 * is behind.
 */
@Schema({ collection: HEARTBEATS, ...STRICT })
export class Heartbeat {
  /** Id of the process, a UUID that the process generates at its start. */
  @Prop({ type: String, required: true })
  readonly _id!: string;

  /** Number of the latest heartbeat. Each heartbeat increments it. */
  @Prop({ type: Number, required: true })
  readonly count!: number;

  @Prop({ type: Date, required: true })
  readonly at!: Date;
}

export const HeartbeatSchema = SchemaFactory.createForClass(Heartbeat);

// TTL index that removes the record of a killed process after an hour.
HeartbeatSchema.index({ at: 1 }, { expireAfterSeconds: 3_600 });
