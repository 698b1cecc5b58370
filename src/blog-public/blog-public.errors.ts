import { UnavailableError } from '../common/http/errors/api.errors.js';

/** 503: too many wait for lists that are dear to read. */
export class TooManySearchesError extends UnavailableError {
  constructor() {
    super('too many long lists are being read: try again in a moment');
  }
}
