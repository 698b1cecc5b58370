import { OperatorError } from '../../../platform/config/operator.error.js';

/** A worker or the preparation process failed during the start. */
export class WorkerStartError extends OperatorError {
  /**
   * @param what what failed, such as `a worker process ended`
   * @param end how it ended, such as `exit code 1`
   */
  constructor(what: string, end: string) {
    super(`Pressroom cannot run: ${what} (${end}). If it said why, it is above.`);
    this.name = 'WorkerStartError';
  }
}
