import { UnavailableError } from '../http/errors/api.errors.js';

/** 503: the server has more to do than it can do in time. */
export class OverloadedError extends UnavailableError {
  constructor() {
    super('the server is overloaded: try again in a moment');
  }
}

/** 503: too many expensive reads, such as searches, are already waiting, or this one has waited too long. */
export class TooManyExpensiveReadsError extends UnavailableError {
  constructor() {
    super('too many costly requests are waiting: try again in a moment');
  }
}
