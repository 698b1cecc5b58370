import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { STRICT } from '../strict-schema.js';

/**
 * The lock of a background job, or of the migrations, with one record each: which run holds it, and
 * until when.
 */
@Schema({ collection: 'background_jobs', ...STRICT })
export class BackgroundJobRecord {
  /** The job's name. */
  @Prop({ type: String, required: true })
  readonly _id!: string;

  /** The random id of the latest run. */
  @Prop({ type: String, required: true })
  readonly run!: string;

  /** The process of the latest run, for people; a lock of an earlier version has none. */
  @Prop({ type: String })
  readonly holder?: string;

  /** No other run may begin before this time, unless the run ends earlier. */
  @Prop({ type: Date, required: true })
  readonly leasedUntil!: Date;

  /** The next run may not begin before this time. */
  @Prop({ type: Date, required: true })
  readonly dueAt!: Date;
}

export const BackgroundJobSchema = SchemaFactory.createForClass(BackgroundJobRecord);
