import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Types } from 'mongoose';
import { STRICT } from '../../platform/database/strict-schema.js';
import type { Cursor } from '../../platform/http/pagination/cursor.js';

/**
 * Where the parts of the sitemap begin. The one record is derived from the blogs: without it, SitemapParts finds
 * the positions anew.
 */
@Schema({ collection: 'sitemap_parts', ...STRICT })
export class SitemapStarts {
  @Prop({ type: String, required: true })
  readonly _id!: 'starts';

  /** The starts of all parts, in order. */
  @Prop({ type: [{ _id: false, at: Date, id: Types.ObjectId }], required: true })
  readonly starts!: readonly Cursor[];

  /** When these were found. */
  @Prop({ type: Date, required: true })
  readonly foundAt!: Date;

  /** The number of records in `blogs` at that time, of which an import adds some whose dates are old. */
  @Prop({ type: Number, required: true })
  readonly blogs!: number;
}

export const SitemapStartsSchema = SchemaFactory.createForClass(SitemapStarts);
