import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';

/** What a process writes to see how far behind its change stream is; one record per process. */
@Schema({
  collection: 'beats',
  versionKey: false,
  strict: 'throw',
  strictQuery: 'throw',
})
export class Heartbeat {
  /** Made anew by every process. */
  @Prop({ type: String, required: true })
  readonly _id!: string;

  /** Counted up with every beat. */
  @Prop({ type: Number, required: true })
  readonly count!: number;

  @Prop({ type: Date, required: true })
  readonly at!: Date;
}

export const HeartbeatSchema = SchemaFactory.createForClass(Heartbeat);

// Housekeeping: the record of a process that was killed goes after an hour.
HeartbeatSchema.index({ at: 1 }, { expireAfterSeconds: 3_600 });
