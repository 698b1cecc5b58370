import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import ms from 'ms';
import { Clock } from '../../../platform/clock.js';
import { nextAttempt, type RetryPlan } from '../../../platform/jobs/retry-times.js';
import { isOnlyDuplicateKeys } from '../../../platform/database/is-duplicate-key.js';
import type { LoggedEvent } from '../../log/event-log.schema.js';
import {
  Delivery,
  DUE_INDEX,
  IS_PENDING,
  type DeliveryAttempt,
} from '../schemas/delivery.schema.js';
import type { Webhook } from '../schemas/webhook.schema.js';

const RETRIES: RetryPlan = {
  pauses: [ms('5s'), ms('1m'), ms('10m'), ms('1h'), ms('6h')],
  givenUpAfter: ms('3d'),
};

/** Stores deliveries: what is to be sent, and the outcomes of the calls. */
@Injectable()
export class DeliveryStore {
  constructor(
    @InjectModel(Delivery.name) private readonly deliveries: Model<Delivery>,
    private readonly clock: Clock,
  ) {}

  /** Stores the deliveries of those events that the webhook wants. May be repeated with the same events. */
  async add(webhook: Webhook, events: readonly LoggedEvent[]): Promise<void> {
    const now = this.clock.now();
    const wanted = events.filter((event) => wants(webhook, event));
    if (wanted.length === 0) return;
    try {
      await this.deliveries.insertMany(
        wanted.map((event) => ({
          webhook: webhook._id,
          event: event.id,
          type: event.type,
          body: bodyOf(event),
          createdAt: now,
          attempts: 0,
          nextAt: now,
        })),
        { ordered: false },
      );
    } catch (error) {
      if (!isOnlyDuplicateKeys(error)) throw error;
    }
  }

  /**
   * Stores the deliveries of events that are to be sent again. Their attempts, and the seven days for
   * which they are kept, count from now.
   *
   * @returns the number of deliveries
   */
  async addAgain(webhook: Webhook, events: readonly LoggedEvent[]): Promise<number> {
    const now = this.clock.now();
    const wanted = events.filter((event) => wants(webhook, event));
    if (wanted.length === 0) return 0;
    try {
      await this.deliveries.bulkWrite(
        wanted.map((event) => ({
          updateOne: {
            filter: { webhook: webhook._id, event: event.id },
            update: {
              $set: { nextAt: now, createdAt: now, attempts: 0 },
              $unset: { firstAt: 1, deliveredAt: 1 },
              $setOnInsert: { type: event.type, body: bodyOf(event) },
            },
            upsert: true,
          },
        })),
        { ordered: false },
      );
    } catch (error) {
      // A duplicate is a delivery that the dispatcher has just stored: it is due anyway.
      if (!isOnlyDuplicateKeys(error)) throw error;
    }
    return wanted.length;
  }

  /**
   * Restarts the three days in which a delivery is attempted, for the deliveries that are still to be sent.
   * Call this before the webhook is switched on.
   */
  async restartPending(webhook: Types.ObjectId): Promise<void> {
    await this.deliveries
      .updateMany(
        { webhook, ...IS_PENDING },
        { $set: { nextAt: this.clock.now(), attempts: 0 }, $unset: { firstAt: 1 } },
      )
      .hint(DUE_INDEX);
  }

  async due(webhook: Types.ObjectId, limit: number): Promise<Delivery[]> {
    return this.deliveries
      .find({ webhook, nextAt: { $gt: new Date(0), $lte: this.clock.now() } })
      .sort(DUE_INDEX)
      .hint(DUE_INDEX)
      .limit(limit)
      .lean<Delivery[]>();
  }

  /**
   * Stores the outcome of a call, unless the delivery has changed since it was read: by a replay, or by
   * another process that has called the webhook as well.
   *
   * @returns false when the delivery failed for the last time
   */
  async record(delivery: Delivery, last: DeliveryAttempt): Promise<boolean> {
    const firstAt = delivery.firstAt ?? last.at;
    const attempts = delivery.attempts + 1;
    const isDelivered = last.error === undefined;
    const next = isDelivered ? null : nextAttempt(RETRIES, { firstAt, attempts }, this.clock.now());
    const { matchedCount } = await this.deliveries.updateOne(
      { _id: delivery._id, nextAt: delivery.nextAt ?? null },
      {
        $set: {
          firstAt,
          attempts,
          last,
          ...(isDelivered ? { deliveredAt: last.at } : {}),
          ...(next ? { nextAt: next } : {}),
        },
        ...(next ? {} : { $unset: { nextAt: 1 } }),
      },
    );
    return isDelivered || next !== null || matchedCount === 0;
  }

  /** Removes the deliveries of a deleted webhook. */
  async removeOf(webhook: Types.ObjectId): Promise<void> {
    await this.deliveries.deleteMany({ webhook });
  }
}

function wants({ events }: Webhook, { type }: LoggedEvent): boolean {
  return events.includes('*') || events.includes(type);
}

/** The body of a call, in the form of Standard Webhooks. */
function bodyOf({ type, at, data }: Pick<LoggedEvent, 'type' | 'at' | 'data'>): string {
  return JSON.stringify({ type, timestamp: at.toISOString(), data });
}
