import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { STRICT } from '../strict-schema.js';

/**
 * The lock of one background job or of the migrations: which run holds the lock, and until when. The
 * migrations count as a job here.
 */
@Schema({ collection: 'background_jobs', ...STRICT })
export class BackgroundJobRecord {
  /** The job's name. */
  @Prop({ type: String, required: true })
  readonly _id!: string;

  /** The random id of the latest run. */
  @Prop({ type: String, required: true })
  readonly run!: string;

  /** Name of the process of the latest run, for people. Missing in a record of an earlier version. */
  @Prop({ type: String })
  readonly holder?: string;

  /** When the lock ends. Each renewal postpones this time; the release sets it to the present. */
  @Prop({ type: Date, required: true })
  readonly leasedUntil!: Date;

  /** When the next run is due. Only a claim with `isEarly` (see `JobLock.claim`) may succeed before this time. */
  @Prop({ type: Date, required: true })
  readonly dueAt!: Date;
}

export const BackgroundJobSchema = SchemaFactory.createForClass(BackgroundJobRecord);
