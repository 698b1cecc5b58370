import { ApiError } from '../../platform/http/errors/api.errors.js';

/** 404: the route needs mail, and the operator has not set it up. */
export class MailNotConfiguredError extends ApiError {
  constructor() {
    super('mail_not_configured', 'the operator of this server has not set up mail');
  }
}
