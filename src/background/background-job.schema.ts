import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';

/** Which process runs a background job, and until when; one record per job. */
@Schema({
  collection: 'background_jobs',
  versionKey: false,
  strict: 'throw',
  strictQuery: 'throw',
})
export class BackgroundJobRecord {
  /** The job's name. */
  @Prop({ type: String, required: true })
  readonly _id!: string;

  /** Made anew for every run. */
  @Prop({ type: String, required: true })
  readonly run!: string;

  /** Until then nobody else runs it. */
  @Prop({ type: Date, required: true })
  readonly leasedUntil!: Date;

  /** Not before then is it run again. */
  @Prop({ type: Date, required: true })
  readonly dueAt!: Date;
}

export const BackgroundJobSchema = SchemaFactory.createForClass(BackgroundJobRecord);
