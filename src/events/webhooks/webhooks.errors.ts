import { ApiError } from '../../platform/http/errors/api.errors.js';

/** 404: there is no such webhook. */
export class WebhookNotFoundError extends ApiError {
  constructor() {
    super('webhook_not_found', 'webhook not found');
  }
}

/** Largest number of webhooks. */
export const WEBHOOKS_MAX = 100;

/** 400: there are WEBHOOKS_MAX webhooks already. */
export class TooManyWebhooksError extends ApiError {
  constructor() {
    super('too_many_webhooks', `there are ${WEBHOOKS_MAX} webhooks already: delete one first`);
  }
}
