import { ApiError, UnavailableError } from '../common/http/errors/api.errors.js';

/** 503: too many requests wait for deep pages, totals or similar blogs. */
export class TooManyExpensiveReadsError extends UnavailableError {
  constructor() {
    super('too many long lists are being read: try again in a moment');
  }
}

/** 404: nobody has this id, or nothing of theirs is live. */
export class AuthorNotFoundError extends ApiError {
  constructor() {
    super('author_not_found', 'author not found');
  }
}
