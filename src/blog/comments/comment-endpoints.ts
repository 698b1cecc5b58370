import { BlogNotFoundError } from '../core/blog.errors.js';
import type { EndpointOptions } from '../../platform/http/openapi/endpoint.decorator.js';
import {
  CommentNotFoundError,
  ForeignCommentError,
  TooManyCommentsError,
  UnknownReplyError,
} from './blog-comments.errors.js';
import { CommentView } from './comment.view.js';

/** Options of `@Endpoint` that the routes of authors and of editors share. */
export const COMMENT_ENDPOINTS = {
  list: {
    summary: 'The comments on a blog, oldest first',
    data: [CommentView],
    errors: [BlogNotFoundError],
  },
  create: {
    summary: 'Comment on a blog, or reply to a comment',
    description:
      'Neither the blog nor its revision number changes. A blog has at most 500 comments, ' +
      'with the placeholders of deleted ones.',
    message: 'comment created successfully',
    data: CommentView,
    errors: [BlogNotFoundError, UnknownReplyError, TooManyCommentsError, CommentNotFoundError],
  },
  change: {
    summary: 'Change the text of your comment, or resolve any comment',
    description: 'A field left out keeps its value. `resolved` may be reset to false.',
    message: 'comment updated successfully',
    data: CommentView,
    errors: [BlogNotFoundError, CommentNotFoundError, ForeignCommentError],
  },
  remove: {
    summary: 'Delete your comment; while it has replies, a placeholder stays',
    message: 'comment deleted successfully',
    errors: [BlogNotFoundError, CommentNotFoundError, ForeignCommentError],
  },
} as const satisfies Record<string, Omit<EndpointOptions, 'id'>>;
