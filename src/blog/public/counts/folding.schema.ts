import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Schema as MongooseSchema, SchemaTypes, type Types } from 'mongoose';
import { STRICT } from '../../../platform/database/strict-schema.js';

/** The id of the only record. */
export const FOLDING = 'folding';

/** What a folding removes from a blog: its changes up to this revision number. */
const FoldedBlogSchema = new MongooseSchema(
  { _id: SchemaTypes.ObjectId, rev: { type: Number, required: true } },
  { _id: false, strict: 'throw' },
);

const AddedChangeSchema = new MongooseSchema(
  {
    list: { type: String, required: true },
    count: { type: Number, required: true },
    changedAt: Date,
  },
  { _id: false, strict: 'throw' },
);

/** The latest folding of public changes into the records of lists (see ChangeFolding). */
@Schema({ collection: 'foldings', ...STRICT })
export class Folding {
  @Prop({ type: String, required: true })
  readonly _id!: typeof FOLDING;

  /**
   * The number of the folding, higher than those before. It is at least the time in milliseconds since 1970, so that
   * it is also higher than the numbers in records that were restored from a backup.
   */
  @Prop({ type: Number, required: true })
  readonly folding!: number;

  /** Whether all records have taken the folding, and the changes are removed from their blogs. */
  @Prop({ type: Boolean, required: true })
  readonly isDone!: boolean;

  @Prop({ type: [FoldedBlogSchema], required: true })
  readonly blogs!: readonly { readonly _id: Types.ObjectId; readonly rev: number }[];

  /** What the folding adds to each list. */
  @Prop({ type: [AddedChangeSchema], required: true })
  readonly changes!: readonly {
    readonly list: string;
    readonly count: number;
    readonly changedAt: Date | null;
  }[];
}

export const FoldingSchema = SchemaFactory.createForClass(Folding);

/** Matches the folding while some records may not have taken it. */
export const IS_FOLDING = { _id: FOLDING, isDone: false } as const;
