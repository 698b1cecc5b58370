import { ApiError } from '../../platform/http/errors/api.errors.js';

/** 400: the account that is to get the blogs is unknown, disabled, or without the role AUTHOR. */
export class NotAnAuthorError extends ApiError {
  constructor() {
    super('not_an_author', 'user must be the id of an enabled user with the role AUTHOR');
  }
}
