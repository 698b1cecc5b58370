import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, type Types } from 'mongoose';
import { STRICT } from '../../platform/database/strict-schema.js';

export const ACCOUNT_JOB_KINDS = ['accountDeletion', 'handOver'] as const;

export type AccountJobKind = (typeof ACCOUNT_JOB_KINDS)[number];

/** Seconds for which the record of a finished job is kept. */
const KEPT_SECONDS = 30 * 24 * 3_600;

/**
 * Work on all blogs of one author. Its record holds no personal data except ids. As long as the job is open, it
 * goes on after the end of a process.
 */
@Schema({ collection: 'account_jobs', ...STRICT })
export class AccountJob {
  readonly _id!: Types.ObjectId;

  @Prop({ type: String, enum: ACCOUNT_JOB_KINDS, required: true })
  readonly kind!: AccountJobKind;

  /** The author of the blogs. */
  @Prop({ type: SchemaTypes.ObjectId, required: true })
  readonly from!: Types.ObjectId;

  /** Who gets the blogs that are handed over. */
  @Prop({ type: SchemaTypes.ObjectId })
  readonly to?: Types.ObjectId;

  /** The ADMIN who hands the blogs over. */
  @Prop({ type: SchemaTypes.ObjectId })
  readonly admin?: Types.ObjectId;

  /** Missing in the record of a finished job. */
  @Prop({ type: Boolean })
  readonly isOpen?: true;

  /** How often the open job was asked for. A job that was asked for again runs once more before it ends. */
  @Prop({ type: Number, required: true })
  readonly requests!: number;

  /** When it was last asked for. */
  @Prop({ type: Date, required: true })
  readonly requestedAt!: Date;

  @Prop({ type: Date })
  readonly startedAt?: Date;

  @Prop({ type: Date })
  readonly finishedAt?: Date;

  /** Number of blogs that are done. */
  @Prop({ type: Number, required: true })
  readonly count!: number;
}

export const IS_OPEN = { isOpen: true } as const;

/** The jobs of deleted accounts whose blogs are not cleaned up yet. */
export const IS_LEAVING = { kind: 'accountDeletion', ...IS_OPEN } as const;

export const AccountJobSchema = SchemaFactory.createForClass(AccountJob);

// Lets two requests for the same work share one job, and finds the open jobs, deletions first.
AccountJobSchema.index(
  { kind: 1, from: 1, to: 1 },
  { unique: true, partialFilterExpression: IS_OPEN },
);
// TTL index by which MongoDB deletes the records of finished jobs.
AccountJobSchema.index({ finishedAt: 1 }, { expireAfterSeconds: KEPT_SECONDS });
