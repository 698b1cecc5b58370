import { OperatorError } from '../../config/operator.error.js';

/** The lock was not renewed in time, so another process may be doing the work now. */
export class LockLostError extends OperatorError {
  /** @param job name of the job that the lock was for */
  constructor(job: string) {
    super(
      `Another process may have taken over (${job}), because this one could not renew its lease in time: ` +
        'start it again, and it goes on where it ended.',
    );
    this.name = 'LockLostError';
  }
}
