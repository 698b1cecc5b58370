import { setTimeout as wait } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import pLimit from 'p-limit';
import {
  BackgroundService,
  type BackgroundJob,
} from '../../../platform/jobs/background.service.js';
import { Clock } from '../../../platform/clock.js';
import { EventsGoneError } from '../../log/event-log.errors.js';
import { EventLog } from '../../log/event-log.service.js';
import type { LoggedEvent } from '../../log/event-log.schema.js';
import type { Delivery, DeliveryAttempt } from '../schemas/delivery.schema.js';
import { IS_ENABLED, Webhook } from '../schemas/webhook.schema.js';
import { WebhookSender } from '../sending/webhook-sender.js';
import { DeliveryStore } from './delivery-store.js';

/** The name of the job: wake the job when there is something to send. */
export const DISPATCHER = 'webhook dispatcher';

/** Number of events that are read from the log at a time. */
const BATCH = 100;

/** Largest number of concurrent calls of one webhook, so that a slow receiver does not delay the others. */
const CALLS_PER_WEBHOOK = 5;

/** Number of webhooks that are handled at the same time, so that the last of many does not wait for all others. */
const WEBHOOKS_AT_A_TIME = 10;

/** Longest wait in milliseconds before a run with calls in flight queries the due deliveries again. */
const PAUSE_MS = 100;

/**
 * Stores a delivery of each new event for each webhook that wants it, and makes the calls that are
 * due. One process at a time runs this job.
 *
 * A delivery is stored before `seq` of the webhook is raised, and stays due until the outcome of a
 * call is stored. So every receiver gets every event at least once, whichever process is killed.
 */
@Injectable()
export class WebhookDispatcher implements BackgroundJob, OnModuleInit {
  readonly name = DISPATCHER;
  readonly everyMs = 500;
  readonly retryMs = 1_000;
  /**
   * Number of calls by their outcome, since the start; `givenUp` counts deliveries that failed for
   * the last time.
   */
  readonly outcomes = { delivered: 0, failed: 0, givenUp: 0 };
  private readonly logger = new Logger(WebhookDispatcher.name);

  constructor(
    @InjectModel(Webhook.name) private readonly webhooks: Model<Webhook>,
    private readonly store: DeliveryStore,
    private readonly sender: WebhookSender,
    private readonly log: EventLog,
    private readonly background: BackgroundService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.background.register(this);
    this.log.onStored(() => this.background.wake(this.name));
  }

  async isDue(): Promise<boolean> {
    const webhooks = await this.enabledWebhooks();
    if (webhooks.length === 0) return false;
    const lastSeq = await this.log.lastSeq();
    if (webhooks.some(({ seq }) => seq < lastSeq)) return true;
    const due = await mapWebhooks(webhooks, ({ _id }) => this.store.due(_id, 1));
    return due.some(({ length }) => length > 0);
  }

  async run(signal: AbortSignal): Promise<string | null> {
    const calls: Calls = new Map();
    while (!signal.aborted) {
      // If the last calls end during this pass, deliveries over CALLS_PER_WEBHOOK may be due: another pass follows.
      const wasIdle = calls.size === 0;
      const webhooks = await this.enabledWebhooks();
      const hasMore = await this.addNew(webhooks);
      await mapWebhooks(webhooks, (webhook) => this.call(webhook, calls));
      if (hasMore) continue;
      if (calls.size > 0) {
        await Promise.race([...[...calls.values()].map(({ done }) => done), wait(PAUSE_MS)]);
      } else if (wasIdle) break;
    }
    await Promise.all([...calls.values()].map(({ done }) => done));
    return null;
  }

  /** Begins due calls of one webhook, up to CALLS_PER_WEBHOOK at a time. */
  private async call(webhook: Webhook, calls: Calls): Promise<void> {
    const id = webhook._id.toHexString();
    const callCount = [...calls.values()].filter((call) => call.webhook === id).length;
    if (callCount >= CALLS_PER_WEBHOOK) return;
    // The query also returns deliveries whose calls are in flight. Their ids are copied before the
    // query, because a call may end during the query.
    const inFlight = new Set(calls.keys());
    const due = await this.store.due(webhook._id, CALLS_PER_WEBHOOK);
    const uncalled = due.filter(({ _id }) => !inFlight.has(_id.toHexString()));
    for (const delivery of uncalled.slice(0, CALLS_PER_WEBHOOK - callCount)) {
      const key = delivery._id.toHexString();
      const done = this.deliver(webhook, delivery).finally(() => calls.delete(key));
      calls.set(key, { webhook: id, done });
    }
  }

  private async enabledWebhooks(): Promise<Webhook[]> {
    return this.webhooks.find(IS_ENABLED).read('primary').lean<Webhook[]>();
  }

  /** @returns whether the log may have more new events */
  private async addNew(webhooks: readonly Webhook[]): Promise<boolean> {
    const lastSeq = await this.log.lastSeq();
    const webhooksBehind = webhooks.filter(({ seq }) => seq < lastSeq);
    const lengths = await mapWebhooks(webhooksBehind, async (webhook) => {
      const events = await this.eventsFor(webhook);
      const last = events.at(-1);
      if (!last) return 0;
      await this.store.add(webhook, events);
      await this.webhooks.updateOne(
        { _id: webhook._id },
        { $max: { seq: last._id } },
        KEEP_UPDATED_AT,
      );
      return events.length;
    });
    return lengths.some((length) => length === BATCH);
  }

  /**
   * The next events for a webhook. If the next event was removed after its seven days, the webhook
   * continues with the oldest event that is kept.
   */
  private async eventsFor({ _id, seq }: Webhook): Promise<LoggedEvent[]> {
    try {
      return await this.log.after(seq, BATCH);
    } catch (error) {
      if (!(error instanceof EventsGoneError)) throw error;
      this.logger.warn(`webhook ${_id.toHexString()} has missed events that are not kept any more`);
      return this.log.after(null, BATCH);
    }
  }

  private async deliver(webhook: Webhook, delivery: Delivery): Promise<void> {
    const { event: id, body, type } = delivery;
    try {
      const attempt = await this.sender.send(webhook, { id, body });
      const staysOn = await this.store.record(delivery, attempt);
      this.outcomes[outcomeOf(attempt, staysOn)] += 1;
      if (!staysOn)
        await this.switchOff(webhook, `${type} was not delivered for three days: ${attempt.error}`);
    } catch (error) {
      // The delivery is still due, so the call is repeated.
      this.logger.warn(`the outcome of a webhook call could not be stored: ${String(error)}`);
      await wait(1_000);
    }
  }

  /** Switches a webhook off, unless its URL has changed during the call. */
  private async switchOff({ _id, url }: Webhook, disabledReason: string): Promise<void> {
    const { matchedCount } = await this.webhooks.updateOne(
      { _id, url, ...IS_ENABLED },
      { $set: { enabled: false, disabledReason, disabledAt: this.clock.now() } },
    );
    if (matchedCount === 0) return;
    this.logger.warn(`webhook ${_id.toHexString()} is switched off: ${disabledReason}`);
  }
}

function outcomeOf(
  { error }: DeliveryAttempt,
  staysOn: boolean,
): keyof WebhookDispatcher['outcomes'] {
  if (error === undefined) return 'delivered';
  return staysOn ? 'failed' : 'givenUp';
}

const KEEP_UPDATED_AT = { timestamps: false } as const;

/** The calls in flight, by the id of the delivery. */
type Calls = Map<string, { readonly webhook: string; readonly done: Promise<void> }>;

function mapWebhooks<Result>(
  webhooks: readonly Webhook[],
  action: (webhook: Webhook) => Promise<Result>,
): Promise<Result[]> {
  const limit = pLimit(WEBHOOKS_AT_A_TIME);
  return Promise.all(webhooks.map((webhook) => limit(() => action(webhook))));
}
