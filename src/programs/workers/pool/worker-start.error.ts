import { OperatorError } from '../../../config/operator.error.js';

/** A process of Pressroom ended before it had done its part of the start. */
export class WorkerStartError extends OperatorError {
  /**
   * @param what the process, in words
   * @param end how it ended, such as `exit code 1`
   */
  constructor(what: string, end: string) {
    super(`Pressroom cannot run: ${what} (${end}). If it said why, it is above.`);
    this.name = 'WorkerStartError';
  }
}
