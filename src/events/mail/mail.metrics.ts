import type { INestApplicationContext } from '@nestjs/common';
import { samplesBy, type Metric } from '../../platform/metrics/metric.js';
import { MailSender } from './sending/mail-sender.job.js';

/** How many mails were sent, by outcome. */
export function mailMetrics(app: INestApplicationContext): Metric[] {
  return [
    {
      name: 'pressroom_mails_total',
      type: 'counter',
      help: 'Mails by outcome; failed: attempts that are repeated; given-up: refused, or two days of failures.',
      read: () => {
        const { sent, failed, givenUp, expired } = app.get(MailSender).outcomes;
        return samplesBy('outcome', { sent, failed, 'given-up': givenUp, expired });
      },
    },
  ];
}
