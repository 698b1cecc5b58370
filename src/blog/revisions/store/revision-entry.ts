import { Schema as MongooseSchema, SchemaTypes, type Types } from 'mongoose';

/** The transitions that add a revision. */
export const REVISION_TRANSITIONS = ['submit', 'correct', 'publish'] as const;

type RevisionTransition = (typeof REVISION_TRANSITIONS)[number];

/**
 * A revision of a blog, as the blog lists it. The transition that makes the revision appends the
 * entry, in the same write that changes the state. A stored content that no entry names was left by
 * a failed transition, or its revision was dropped.
 */
export interface RevisionEntry {
  /** The revision number that the transition made. */
  readonly rev: number;
  readonly move: RevisionTransition;
  /**
   * The user who made the transition; null for a publication by an older version, which did not
   * store who made it, and for an imported blog.
   */
  readonly by: Types.ObjectId | null;
  readonly at: Date;
  /** The id of the content. A publication shares the content of the submitted revision. */
  readonly content: Types.ObjectId;
}

export const RevisionEntrySchema = new MongooseSchema<RevisionEntry>(
  {
    rev: { type: Number, required: true },
    move: { type: String, enum: REVISION_TRANSITIONS, required: true },
    by: { type: SchemaTypes.ObjectId, default: null },
    at: { type: Date, required: true },
    content: { type: SchemaTypes.ObjectId, required: true },
  },
  { _id: false, strict: 'throw' },
);
