import type { INestApplicationContext } from '@nestjs/common';
import { samplesBy, type Metric } from '../../platform/metrics/metric.js';
import { WebhookDispatcher } from './deliveries/webhook-dispatcher.job.js';

/** How many calls of webhooks were made, by their outcome. */
export function webhookMetrics(app: INestApplicationContext): Metric[] {
  return [
    {
      name: 'pressroom_webhook_deliveries_total',
      type: 'counter',
      help: 'Calls of webhooks by outcome; given-up: after three days of failures.',
      read: () => {
        const { delivered, failed, givenUp } = app.get(WebhookDispatcher).outcomes;
        return samplesBy('outcome', { delivered, failed, 'given-up': givenUp });
      },
    },
  ];
}
