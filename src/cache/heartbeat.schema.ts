import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';

/**
 * The collection of the heartbeats. It keeps the name that it has in existing databases: processes of
 * the version before, during a rolling update, write to the same one.
 */
export const HEARTBEATS = 'beats';

/** What a process writes to see how far behind its change stream is; one record per process. */
@Schema({
  collection: HEARTBEATS,
  versionKey: false,
  strict: 'throw',
  strictQuery: 'throw',
})
export class Heartbeat {
  /** Made anew by every process. */
  @Prop({ type: String, required: true })
  readonly _id!: string;

  /** Counted up with every heartbeat. */
  @Prop({ type: Number, required: true })
  readonly count!: number;

  @Prop({ type: Date, required: true })
  readonly at!: Date;
}

export const HeartbeatSchema = SchemaFactory.createForClass(Heartbeat);

// Removes the record of a process that was killed, after an hour.
HeartbeatSchema.index({ at: 1 }, { expireAfterSeconds: 3_600 });
