import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { BackgroundService } from '../../../platform/jobs/background.service.js';
import { Clock } from '../../../platform/clock.js';
import { InvalidBodyError } from '../../../platform/http/errors/api.errors.js';
import { skipOf, type PageQuery } from '../../../platform/http/pagination/page-query.dto.js';
import type { LoggedEvent } from '../../log/event-log.schema.js';
import { EventLog } from '../../log/event-log.service.js';
import { ReplayDto } from '../dto/replay.dto.js';
import { Delivery, LOG_INDEX } from '../schemas/delivery.schema.js';
import { WebhookSender } from '../sending/webhook-sender.js';
import {
  toAttemptView,
  toDeliveryView,
  type AttemptView,
  type DeliveryView,
  type ReplayView,
} from '../views/delivery.view.js';
import { WebhookService } from '../webhook.service.js';
import { DeliveryStore } from './delivery-store.js';
import { DISPATCHER } from './webhook-dispatcher.job.js';

/** Number of events that are read from the log at a time. */
const BATCH = 500;

/**
 * Timeout of a test call in milliseconds, below the deadline of a request
 * (src/platform/http/connection/deadline.ts).
 */
const TEST_TIMEOUT_MS = 4_000;

/** Serves the delivery log of a webhook, and makes the calls that an admin asks for. */
@Injectable()
export class DeliveryService {
  constructor(
    @InjectModel(Delivery.name) private readonly deliveries: Model<Delivery>,
    private readonly webhooks: WebhookService,
    private readonly store: DeliveryStore,
    private readonly sender: WebhookSender,
    private readonly log: EventLog,
    private readonly clock: Clock,
    private readonly background: BackgroundService,
  ) {}

  /**
   * A page of the deliveries, newest first.
   *
   * @throws WebhookNotFoundError
   */
  async list(webhook: Types.ObjectId, page: PageQuery): Promise<DeliveryView[]> {
    await this.webhooks.find(webhook);
    const found = await this.deliveries
      .find({ webhook })
      .sort({ createdAt: -1, _id: -1 })
      .hint(LOG_INDEX)
      .skip(skipOf(page))
      .limit(page.limit)
      .lean<Delivery[]>();
    return found.map(toDeliveryView);
  }

  /**
   * Calls the webhook once with `webhook.test`, even while it is switched off.
   *
   * @throws WebhookNotFoundError
   */
  async test(id: Types.ObjectId): Promise<AttemptView> {
    const webhook = await this.webhooks.find(id);
    const now = this.clock.now();
    const body = { type: 'webhook.test', timestamp: now.toISOString(), data: { _id: String(id) } };
    return toAttemptView(
      await this.sender.send(
        webhook,
        { id: `test_${String(id)}_${now.getTime()}`, body: JSON.stringify(body) },
        TEST_TIMEOUT_MS,
      ),
    );
  }

  /**
   * Sends events of the log again, of the types that the webhook wants.
   *
   * @throws WebhookNotFoundError
   * @throws InvalidBodyError unless the body has exactly one of `event` and `since`
   */
  async replay(id: Types.ObjectId, { event, since }: ReplayDto): Promise<ReplayView> {
    if ((event === undefined) === (since === undefined)) {
      const message = 'event or since must be given, and not both';
      throw new InvalidBodyError([{ field: 'event', message }]);
    }
    const webhook = await this.webhooks.find(id);
    let deliveries = 0;
    for await (const batch of since ? this.eventsSince(since) : this.eventWith(String(event))) {
      deliveries += await this.store.addAgain(webhook, batch);
    }
    this.background.wake(DISPATCHER);
    return { deliveries };
  }

  private async *eventWith(id: string): AsyncGenerator<LoggedEvent[]> {
    const event = await this.log.find(id);
    if (event) yield [event];
  }

  /** The events since a time, in batches. */
  private async *eventsSince(time: Date): AsyncGenerator<LoggedEvent[]> {
    for (let seq = 0; ;) {
      const batch: LoggedEvent[] = await this.log.keptAfter(seq, BATCH);
      const last = batch.at(-1);
      if (!last) return;
      // Events are numbered in the order of their arrival in the log, which may differ from the order
      // of their times.
      yield batch.filter(({ at }) => at >= time);
      seq = last._id;
    }
  }
}
