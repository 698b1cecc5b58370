import type { INestApplicationContext } from '@nestjs/common';
import type { Metric } from '../../platform/metrics/metric.js';
import { PasswordBulkhead } from './password-bulkhead.js';

/** How many requests wait for a password to be hashed, and how many were refused. */
export function passwordMetrics(app: INestApplicationContext): Metric[] {
  const bulkhead = app.get(PasswordBulkhead);
  return [
    {
      name: 'pressroom_password_queue_length',
      type: 'gauge',
      help: 'Requests that wait until a password can be hashed.',
      read: () => [{ value: bulkhead.queueLength }],
    },
    {
      name: 'pressroom_password_refusals_total',
      type: 'counter',
      help: 'Requests that were refused because too many waited for a password to be hashed.',
      read: () => [{ value: bulkhead.rejectedCount }],
    },
  ];
}
