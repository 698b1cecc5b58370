import { BadRequestException, NotFoundException } from '@nestjs/common';

/** 404: there is no such webhook. */
export class WebhookNotFoundError extends NotFoundException {
  constructor() {
    super('webhook not found');
  }
}

/** How many webhooks there may be. */
export const WEBHOOKS_MAX = 100;

/** 400: there are as many webhooks as there may be. */
export class TooManyWebhooksError extends BadRequestException {
  constructor() {
    super(`there are ${WEBHOOKS_MAX} webhooks already: delete one first`);
  }
}
