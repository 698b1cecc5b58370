import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { STRICT } from '../../../platform/database/strict-schema.js';

/**
 * What is known of a public list without reading its blogs. The changes that transitions have stored in their blogs
 * (see PublicChange), and that are not folded into the record yet, come on top.
 */
@Schema({ collection: 'lists', ...STRICT })
export class ListRecord {
  /** The name of the list. */
  @Prop({ type: String, required: true })
  readonly _id!: string;

  /** The key of the tag, if the list is that of a tag. */
  @Prop({ type: String })
  readonly tag?: string;

  /** How many live blogs the list has. Missing in a record that was imported and not counted yet. */
  @Prop({ type: Number })
  readonly count?: number;

  /** When a blog that was in the list last changed in such a way that it may have left the list. */
  @Prop({ type: Date })
  readonly changedAt?: Date;

  /** The number of the last folding that the record has taken (see ChangeFolding). */
  @Prop({ type: Number })
  readonly folding?: number;

  /** How often a comparison with the blogs has corrected `count`. */
  @Prop({ type: Number })
  readonly corrections?: number;
}

export const ListRecordSchema = SchemaFactory.createForClass(ListRecord);

/** Tags that live blogs have: the filter of the indexes TAGS_BY_KEY and TAGS_BY_COUNT. */
export const IS_USED_TAG = { tag: { $gte: '' }, count: { $gt: 0 } } as const;

export const TAGS_BY_KEY = { tag: 1 } as const;
export const TAGS_BY_COUNT = { count: -1, tag: 1 } as const;

ListRecordSchema.index(TAGS_BY_KEY, { partialFilterExpression: IS_USED_TAG });
ListRecordSchema.index(TAGS_BY_COUNT, { partialFilterExpression: IS_USED_TAG });
