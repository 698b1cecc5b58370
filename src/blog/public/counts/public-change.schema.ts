import { Schema as MongooseSchema } from 'mongoose';

/**
 * What a transition changes in records that are derived from blogs. The write of the transition stores it in the blog,
 * and ChangeFolding carries it into the records.
 */
export interface PublicChange {
  /** The revision number that the transition made. */
  readonly rev: number;
  readonly at: Date;
  /**
   * The names of the lists that had the blog before, each after `-`, and of those that have it afterwards, each after
   * `+`.
   */
  readonly lists: readonly string[];
  /** The spellings of the live version that may not be stored yet, each with its stem. */
  readonly spellings?: readonly (readonly [spelling: string, stem: string])[];
}

/** An element of `publicChanges` in a blog. */
export const PublicChangeSchema = new MongooseSchema<PublicChange>(
  {
    rev: { type: Number, required: true },
    at: { type: Date, required: true },
    lists: { type: [String], required: true },
    spellings: { type: [[String]], default: undefined },
  },
  { _id: false, strict: 'throw' },
);
