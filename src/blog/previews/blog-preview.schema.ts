import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, type Types } from 'mongoose';
import { STRICT } from '../../platform/database/strict-schema.js';

/** Who made a preview: the author of the blog, or an editor who reviews it. */
export type PreviewKind = 'author' | 'editor';

/**
 * Shows the working copy of a blog to whoever has the token. Only its hash is stored, so a copy of the
 * database opens no preview.
 */
@Schema({ collection: 'blog_previews', ...STRICT })
export class BlogPreview {
  /** SHA-256 of the token in hex. */
  @Prop({ type: String, required: true })
  readonly _id!: string;

  @Prop({ type: SchemaTypes.ObjectId, required: true })
  readonly blog!: Types.ObjectId;

  /** The user who made it. */
  @Prop({ type: SchemaTypes.ObjectId, required: true })
  readonly issuer!: Types.ObjectId;

  @Prop({ type: String, required: true })
  readonly kind!: PreviewKind;

  /** `previewGeneration` of the blog when the preview was made. The preview ends when that changes. */
  @Prop({ type: Number, required: true })
  readonly generation!: number;

  @Prop({ type: Date, required: true })
  readonly createdAt!: Date;

  /** Of the request, if it had an `Idempotency-Key`. */
  @Prop({ type: String })
  readonly requestHash?: string;

  /** Checked with every read, because TTL deletes late. */
  @Prop({ type: Date, required: true })
  readonly expiresAt!: Date;
}

export const BlogPreviewSchema = SchemaFactory.createForClass(BlogPreview);

// TTL: MongoDB deletes expired previews.
BlogPreviewSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
// To count the open previews of a blog, and to remove all of them.
BlogPreviewSchema.index({ blog: 1, generation: 1, expiresAt: 1 });
