import { ApiError } from '../../platform/http/errors/api.errors.js';
import { COMMENTS_MAX } from './store/blog-comment.schema.js';

/** 404: the blog has no such comment. */
export class CommentNotFoundError extends ApiError {
  constructor() {
    super('comment_not_found', 'comment not found');
  }
}

/** 403: another user wrote the comment. */
export class ForeignCommentError extends ApiError {
  constructor() {
    super('foreign_comment', 'the comment is not yours: reply to it or resolve it instead');
  }
}

/** 400: the blog has no comment with the id in `replyTo`. */
export class UnknownReplyError extends ApiError {
  constructor() {
    super(
      'unknown_comment',
      'replyTo must be the _id of a comment on this blog: it may have been deleted',
    );
  }
}

/** 400: the blog has as many comments as it may have. */
export class TooManyCommentsError extends ApiError {
  constructor() {
    super(
      'too_many_comments',
      `the blog has ${COMMENTS_MAX} comments, which is the maximum: delete some first`,
    );
  }
}
