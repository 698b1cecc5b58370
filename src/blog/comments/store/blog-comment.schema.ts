import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, type Types } from 'mongoose';
import { STRICT } from '../../../platform/database/strict-schema.js';

/** How many comments a blog may have. Concurrent requests may exceed this number by a few. */
export const COMMENTS_MAX = 500;

/**
 * A comment of the author or of an editor on a blog. A comment is not part of the blog: it changes
 * neither the blog's revision number nor its `updatedAt`.
 */
@Schema({ collection: 'blog_comments', ...STRICT })
export class BlogComment {
  readonly _id!: Types.ObjectId;

  @Prop({ type: SchemaTypes.ObjectId, required: true })
  readonly blog!: Types.ObjectId;

  /** The user who wrote the comment. */
  @Prop({ type: SchemaTypes.ObjectId, required: true })
  readonly by!: Types.ObjectId;

  /** The comment as plain text. */
  @Prop({ type: String, required: true })
  readonly text!: string;

  /** Words of the blog that the comment is about, as plain text. */
  @Prop({ type: String })
  readonly quote?: string;

  /**
   * Id of the comment that this one answers. It is on the same blog, and may have been deleted
   * since.
   */
  @Prop({ type: SchemaTypes.ObjectId })
  readonly replyTo?: Types.ObjectId;

  @Prop({ type: Boolean, required: true })
  readonly resolved!: boolean;

  @Prop({ type: Date, required: true })
  readonly at!: Date;

  /** The revision number of the blog when the comment was written. */
  @Prop({ type: Number, required: true })
  readonly rev!: number;

  /** Hash of the request and its idempotency key, if the request sent a key. */
  @Prop({ type: String })
  readonly requestHash?: string;
}

export const COMMENTS_INDEX = { blog: 1, at: 1, _id: 1 } as const;
/** The order of the comments on a blog. */
export const OLDEST_COMMENT_FIRST = { at: 1, _id: 1 } as const;

export const BlogCommentSchema = SchemaFactory.createForClass(BlogComment);

// Serves the list of a blog's comments, oldest first, the check of COMMENTS_MAX, and the removal of all.
BlogCommentSchema.index(COMMENTS_INDEX);
