import { ApiError } from '../../platform/http/errors/api.errors.js';

/** 404: no author has this id, or nothing of the author is live. */
export class AuthorNotFoundError extends ApiError {
  constructor() {
    super('author_not_found', 'author not found');
  }
}
