import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { STRICT } from '../../../../platform/database/strict-schema.js';

/**
 * How many live blogs have a tag. The record is derived from the blogs: TagCounts counts the blogs
 * again after each transition that may change their number.
 */
@Schema({ collection: 'tags', ...STRICT })
export class Tag {
  /** The key of the tag (see `tagKey`). */
  @Prop({ type: String, required: true })
  readonly _id!: string;

  /**
   * The key of the tag while a live blog has it; missing otherwise. BY_KEY and BY_COUNT use this field.
   */
  @Prop({ type: String })
  readonly key?: string;

  /** The tag in the spelling of the blog that was published last. */
  @Prop({ type: String })
  readonly tag?: string;

  @Prop({ type: Number, required: true })
  readonly count!: number;

  /** The latest of the first publications of the live blogs with the tag. */
  @Prop({ type: Date })
  readonly publishedAt?: Date;

  /** When the count began, in the order of counts: a count that began earlier does not replace it. */
  @Prop({ type: BigInt, required: true })
  readonly asOf!: bigint;

  /** When a count found no live blog with the tag; missing while a live blog has it. */
  @Prop({ type: Date })
  readonly emptyAt?: Date;
}

export const TagSchema = SchemaFactory.createForClass(Tag);

/** Tags that live blogs have: the filter of the indexes BY_KEY and BY_COUNT. */
export const IS_USED = { count: { $gt: 0 } } as const;

export const BY_KEY = { key: 1 } as const;
export const BY_COUNT = { count: -1, key: 1 } as const;

/**
 * Seconds for which the record of an unused tag is kept. By then, every count that began before the
 * tag became unused has ended or failed.
 */
const EMPTY_TTL_SECONDS = 3_600;

TagSchema.index(BY_KEY, { partialFilterExpression: IS_USED });
TagSchema.index(BY_COUNT, { partialFilterExpression: IS_USED });
TagSchema.index({ emptyAt: 1 }, { expireAfterSeconds: EMPTY_TTL_SECONDS });
