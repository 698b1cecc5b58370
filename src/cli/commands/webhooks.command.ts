import type { Command } from 'commander';
import type { Types } from 'mongoose';
import { DeliveryService } from '../../events/webhooks/deliveries/delivery.service.js';
import type { AttemptView } from '../../events/webhooks/views/delivery.view.js';
import type { WebhookView } from '../../events/webhooks/views/webhook.view.js';
import { WebhookService } from '../../events/webhooks/webhook.service.js';
import { WebhookNotFoundError } from '../../events/webhooks/webhooks.errors.js';
import { parseId } from '../command-line/arguments.js';
import { addExamples } from '../command-line/examples.js';
import { ExitCode } from '../command-line/exit-code.js';
import { columns, printResult } from '../command-line/output.js';
import { advising, withApp } from '../command-line/with-app.js';

/** Adds `pressroom webhooks …`, for the webhooks that call other servers. */
export function addWebhooksCommand(program: Command): void {
  const webhooks = program.command('webhooks').description('list webhooks, and try one');
  addList(webhooks);
  addTest(webhooks);
}

function addList(webhooks: Command): void {
  const list = webhooks
    .command('list')
    .description('list webhooks, newest first')
    .action(async (_options: unknown, command: Command) => {
      const found = await withApp((app) => app.get(WebhookService).list());
      const lines = found.map((webhook) => [
        webhook._id,
        stateOf(webhook),
        webhook.url,
        webhook.events.join(' '),
      ]);
      printResult(command, found, found.length > 0 ? columns(lines) : ['no webhooks']);
    });
  addExamples(list, 'webhooks list');
}

function addTest(webhooks: Command): void {
  const test = webhooks
    .command('test')
    .description('call a webhook once with the event webhook.test, also while it is disabled')
    .argument('<id>', 'as "webhooks list" shows it', parseId)
    .action(async (id: Types.ObjectId, _options: unknown, command: Command) => {
      const attempt = await withApp((app) =>
        advising(
          WebhookNotFoundError,
          'No webhook has this id: "pressroom webhooks list" shows those that exist.',
          app.get(DeliveryService).test(id),
        ),
      );
      printResult(command, attempt, [describe(attempt)]);
      if (attempt.error !== undefined) process.exitCode = ExitCode.FAILED;
    });
  addExamples(test, 'webhooks test 66f1a2b3c4d5e6f708192a3b');
}

function describe({ status, durationMs, error }: AttemptView): string {
  return error === undefined
    ? `Delivered: status ${status} after ${durationMs} ms`
    : `Not delivered after ${durationMs} ms: ${error}`;
}

function stateOf({ enabled, disabledReason }: WebhookView): string {
  if (enabled) return 'enabled';
  return disabledReason === undefined ? 'disabled' : `disabled: ${disabledReason}`;
}
