import { ApiError, UnavailableError } from '../../platform/http/errors/api.errors.js';

/** 503: too many requests wait for searches, similar blogs, deep pages, totals, feeds or sitemaps. */
export class TooManyExpensiveReadsError extends UnavailableError {
  constructor() {
    super('too many costly requests are waiting: try again in a moment');
  }
}

/** 404: nobody has this id, or nothing of theirs is live. */
export class AuthorNotFoundError extends ApiError {
  constructor() {
    super('author_not_found', 'author not found');
  }
}
