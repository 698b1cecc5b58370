import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, type Types } from 'mongoose';
import { STRICT } from '../../platform/database/strict-schema.js';

/** Who made a preview: the author of the blog, or an editor who reviews it. */
export type PreviewKind = 'author' | 'editor';

/**
 * Shows the working copy of a blog to whoever has the token. Only the hash of the token is stored,
 * so nobody can open a preview with a copy of the database.
 */
@Schema({ collection: 'blog_previews', ...STRICT })
export class BlogPreview {
  /** SHA-256 of the token, in hex. */
  @Prop({ type: String, required: true })
  readonly _id!: string;

  @Prop({ type: SchemaTypes.ObjectId, required: true })
  readonly blog!: Types.ObjectId;

  /** The user who made the preview. */
  @Prop({ type: SchemaTypes.ObjectId, required: true })
  readonly issuer!: Types.ObjectId;

  @Prop({ type: String, required: true })
  readonly kind!: PreviewKind;

  /**
   * The blog's `previewGeneration` when the preview was made. The preview ends when the blog gets a
   * new generation.
   */
  @Prop({ type: Number, required: true })
  readonly generation!: number;

  @Prop({ type: Date, required: true })
  readonly createdAt!: Date;

  /** SHA-256 of the request and its idempotency key, if the request sent one. */
  @Prop({ type: String })
  readonly requestHash?: string;

  /** End of the preview. Each read checks it, because the TTL index deletes late. */
  @Prop({ type: Date, required: true })
  readonly expiresAt!: Date;
}

export const BlogPreviewSchema = SchemaFactory.createForClass(BlogPreview);

// TTL index by which MongoDB deletes expired previews.
BlogPreviewSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
// Serves the count of a blog's open previews, and the removal of all its previews.
BlogPreviewSchema.index({ blog: 1, generation: 1, expiresAt: 1 });
