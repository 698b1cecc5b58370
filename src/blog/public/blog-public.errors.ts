import { ApiError } from '../../platform/http/errors/api.errors.js';

/** 404: nobody has this id, or nothing of theirs is live. */
export class AuthorNotFoundError extends ApiError {
  constructor() {
    super('author_not_found', 'author not found');
  }
}
