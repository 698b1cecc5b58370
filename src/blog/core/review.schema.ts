import { Schema as MongooseSchema, SchemaTypes, type Types } from 'mongoose';

/** One time of a schedule. */
interface ScheduledTransition {
  readonly at: Date;
  /** The editor who set the time, and in whose name the transition will be made. */
  readonly by: Types.ObjectId;
  /** True once the transition has passed to `by`, an ADMIN, because whoever set the time has left. */
  readonly passed?: true;
}

const ScheduledTransitionSchema = new MongooseSchema<ScheduledTransition>(
  {
    at: { type: Date, required: true },
    by: { type: SchemaTypes.ObjectId, required: true },
    passed: Boolean,
  },
  { _id: false, strict: 'throw' },
);

/** When the submitted revision is to be published, and when the blog is to be unpublished. */
export interface Schedule {
  readonly publish?: ScheduledTransition;
  readonly unpublish?: ScheduledTransition;
}

export const ScheduleSchema = new MongooseSchema<Schedule>(
  { publish: ScheduledTransitionSchema, unpublish: ScheduledTransitionSchema },
  { _id: false, strict: 'throw' },
);

/** Why an editor returned a blog; kept until the next submission. */
export interface BlogReturn {
  readonly note: string;
  readonly by: Types.ObjectId;
  readonly at: Date;
}

export const BlogReturnSchema = new MongooseSchema<BlogReturn>(
  {
    note: { type: String, required: true },
    by: { type: SchemaTypes.ObjectId, required: true },
    at: { type: Date, required: true },
  },
  { _id: false, strict: 'throw' },
);
