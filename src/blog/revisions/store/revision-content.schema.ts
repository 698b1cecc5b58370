import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, type Types } from 'mongoose';
import { STRICT } from '../../../platform/database/strict-schema.js';

/**
 * The content of a revision. It is stored before the transition that makes the revision, so a
 * failed transition may leave a content behind. A content belongs to a revision only if an entry in
 * its blog names it (docs/adr/0012).
 */
@Schema({ collection: 'blog_revisions', ...STRICT })
export class RevisionContent {
  readonly _id!: Types.ObjectId;

  @Prop({ type: SchemaTypes.ObjectId, required: true })
  readonly blog!: Types.ObjectId;

  /** The revision number of the submission, correction or publication for which this was stored. */
  @Prop({ type: Number, required: true })
  readonly rev!: number;

  /** The title, for lists of revisions, which do not decompress the other fields. */
  @Prop({ type: String, required: true })
  readonly title!: string;

  /** The version of the HTML policy by which the text was cleaned. */
  @Prop({ type: Number, default: null })
  readonly htmlVersion!: number | null;

  /** The fields of BLOG_FIELDS as JSON, compressed by zlib. */
  @Prop({ type: Buffer, required: true })
  readonly fields!: Buffer;

  /**
   * When the sweep decides whether to keep the content, by the database's clock. A content that is
   * kept loses this field.
   */
  @Prop({ type: Date })
  readonly sweepAt?: Date;
}

/** Contents that the sweep has not decided on yet. */
export const HAS_SWEEP_TIME = { sweepAt: { $gt: new Date(0) } };

export const SWEEP_INDEX = { sweepAt: 1 } as const;

export const BLOG_CONTENTS_INDEX = { blog: 1, sweepAt: 1, _id: 1 } as const;

export const RevisionContentSchema = SchemaFactory.createForClass(RevisionContent);

// The sweep finds the due contents by the first index, and reads all contents of a blog from the keys
// of the second.
RevisionContentSchema.index(SWEEP_INDEX, { partialFilterExpression: HAS_SWEEP_TIME });
RevisionContentSchema.index(BLOG_CONTENTS_INDEX);
