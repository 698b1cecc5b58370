import { OperatorError } from '../../../platform/config/operator.error.js';

/** A worker or the preparation process failed during its start. */
export class WorkerStartError extends OperatorError {
  /**
   * @param what what happened, such as `a worker process ended`
   * @param end how the process ended, such as `exit code 1`
   */
  constructor(what: string, end: string) {
    super(`Pressroom cannot run: ${what} (${end}). If it said why, it is above.`);
    this.name = 'WorkerStartError';
  }
}
