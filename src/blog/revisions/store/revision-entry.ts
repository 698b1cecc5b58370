import { Schema as MongooseSchema, SchemaTypes, type Types } from 'mongoose';

/** The moves that keep a revision. */
export const REVISION_MOVES = ['submit', 'correct', 'publish'] as const;

type RevisionMove = (typeof REVISION_MOVES)[number];

/**
 * A revision of a blog, as the blog lists it. The move that makes the revision appends the entry, in
 * one write with the change of state. A stored content without an entry is what a failed move left.
 */
export interface RevisionEntry {
  /** The revision number that the move made. */
  readonly rev: number;
  readonly move: RevisionMove;
  /** The user who made the move; null if it was made before revisions were kept, or elsewhere. */
  readonly by: Types.ObjectId | null;
  readonly at: Date;
  /** The id of the content. A publication has that of the submitted revision. */
  readonly content: Types.ObjectId;
}

export const RevisionEntrySchema = new MongooseSchema<RevisionEntry>(
  {
    rev: { type: Number, required: true },
    move: { type: String, required: true },
    by: { type: SchemaTypes.ObjectId, default: null },
    at: { type: Date, required: true },
    content: { type: SchemaTypes.ObjectId, required: true },
  },
  { _id: false, strict: 'throw' },
);
