import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, Types } from 'mongoose';
import { STRICT } from '../../../platform/database/strict-schema.js';

/** How many comments a blog may have. Concurrent requests may exceed this number by a few. */
export const COMMENTS_MAX = 500;

/** An id that no user has. */
export const NOBODY = new Types.ObjectId('0'.repeat(24));

/**
 * A comment of the author or of an editor on a blog. A comment is not part of the blog: it changes
 * neither the blog's revision number nor its `updatedAt`.
 */
@Schema({ collection: 'blog_comments', ...STRICT })
export class BlogComment {
  readonly _id!: Types.ObjectId;

  @Prop({ type: SchemaTypes.ObjectId, required: true })
  readonly blog!: Types.ObjectId;

  /** The user who wrote the comment; NOBODY in a placeholder. */
  @Prop({ type: SchemaTypes.ObjectId, required: true })
  readonly by!: Types.ObjectId;

  /** The comment as plain text; '' in a placeholder. */
  @Prop({
    type: String,
    required(this: BlogComment) {
      return !this.deleted;
    },
  })
  readonly text!: string;

  /** Words of the blog that the comment is about, as plain text. */
  @Prop({ type: String })
  readonly quote?: string;

  /**
   * Id of the comment that this one answers. It is on the same blog; a version without placeholders may have
   * deleted it since.
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

  /**
   * True in a placeholder: what is left of a deleted comment while it has replies. It keeps neither text and
   * quote nor who wrote it.
   */
  @Prop({ type: Boolean })
  readonly deleted?: true;

  /** Whom the comment mentions; only until the outbox relay has told of it. */
  @Prop({ type: [SchemaTypes.ObjectId], default: undefined })
  readonly mentions?: readonly Types.ObjectId[];

  /** Hash of the request and its idempotency key, if the request sent a key. */
  @Prop({ type: String })
  readonly requestHash?: string;
}

export const COMMENTS_INDEX = { blog: 1, at: 1, _id: 1 } as const;
/** The order of the comments on a blog. */
export const OLDEST_COMMENT_FIRST = { at: 1, _id: 1 } as const;

const REPLIES_INDEX = { replyTo: 1 } as const;
export const IS_REPLY = { replyTo: { $exists: true } } as const;

/** Comments that the outbox relay has not told of. */
export const IS_NEW = { mentions: { $exists: true } } as const;
/** Has new comments only, the oldest first. `mentions` is no key: an index would have a key for each of them. */
export const NEW_INDEX = { at: 1 } as const;

export const BlogCommentSchema = SchemaFactory.createForClass(BlogComment);

// Serves the list of a blog's comments, oldest first, the check of COMMENTS_MAX, and the removal of all.
BlogCommentSchema.index(COMMENTS_INDEX);
// Finds out whether a comment has replies.
BlogCommentSchema.index(REPLIES_INDEX, { partialFilterExpression: IS_REPLY });
// Serves the outbox relay.
BlogCommentSchema.index(NEW_INDEX, { partialFilterExpression: IS_NEW });
