import { Schema as MongooseSchema } from 'mongoose';

/** How one transition has changed the counts of public lists. The write of the transition stores it in the blog. */
export interface CountChange {
  readonly at: Date;
  /**
   * The names of the lists that had the blog before, each after `-`, and of those that have it afterwards, each after
   * `+`.
   */
  readonly lists: readonly string[];
}

/** An element of `countChanges` in a blog. */
export const CountChangeSchema = new MongooseSchema<CountChange>(
  { at: { type: Date, required: true }, lists: { type: [String], required: true } },
  { _id: false, strict: 'throw' },
);
