import { ApiError } from '../../platform/http/errors/api.errors.js';

/** 404: there is no such job, or it ended long ago. */
export class JobNotFoundError extends ApiError {
  constructor() {
    super('job_not_found', 'job not found');
  }
}
