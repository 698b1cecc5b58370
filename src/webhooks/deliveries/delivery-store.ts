import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { Clock } from '../../common/clock.js';
import { isOnlyDuplicateKeys } from '../../database/is-duplicate-key.js';
import type { LoggedEvent } from '../../event-log/event-log.schema.js';
import { Delivery, DUE_INDEX, type DeliveryAttempt } from '../schemas/delivery.schema.js';
import type { Webhook } from '../schemas/webhook.schema.js';
import { nextAttempt } from './retry-times.js';

/** Stores what is to be sent, and what came of it. */
@Injectable()
export class DeliveryStore {
  constructor(
    @InjectModel(Delivery.name) private readonly deliveries: Model<Delivery>,
    private readonly clock: Clock,
  ) {}

  /** Stores the deliveries of those events that the webhook wants. It may be repeated. */
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

  /** The same for deliveries that are to be sent again. @returns how many */
  async addAgain(webhook: Webhook, events: readonly LoggedEvent[]): Promise<number> {
    const wanted = events.filter((event) => wants(webhook, event));
    await this.add(webhook, wanted);
    for (const { id } of wanted) {
      await this.deliveries.updateOne(
        { webhook: webhook._id, event: id },
        {
          $set: { nextAt: this.clock.now(), attempts: 0 },
          $unset: { firstAt: 1, deliveredAt: 1 },
        },
      );
    }
    return wanted.length;
  }

  async due(webhook: Types.ObjectId, limit: number): Promise<Delivery[]> {
    return this.deliveries
      .find({ webhook, nextAt: { $gt: new Date(0), $lte: this.clock.now() } })
      .sort(DUE_INDEX)
      .hint(DUE_INDEX)
      .limit(limit)
      .lean<Delivery[]>();
  }

  /** @returns false when the delivery failed for the last time */
  async record(delivery: Delivery, last: DeliveryAttempt): Promise<boolean> {
    const firstAt = delivery.firstAt ?? last.at;
    const attempts = delivery.attempts + 1;
    const isDelivered = last.error === undefined;
    const next = isDelivered ? null : nextAttempt({ firstAt, attempts }, this.clock.now());
    await this.deliveries.updateOne(
      { _id: delivery._id },
      {
        $set: {
          ...{ firstAt, attempts, last },
          ...(isDelivered ? { deliveredAt: last.at } : {}),
          ...(next ? { nextAt: next } : {}),
        },
        ...(next ? {} : { $unset: { nextAt: 1 } }),
      },
    );
    return isDelivered || next !== null;
  }

  /** Removes the deliveries of a webhook that is gone. */
  async removeOf(webhook: Types.ObjectId): Promise<void> {
    await this.deliveries.deleteMany({ webhook });
  }
}

function wants({ events }: Webhook, { type }: LoggedEvent): boolean {
  return events.includes('*') || events.includes(type);
}

/** The body as Standard Webhooks has it. */
function bodyOf({ type, at, data }: Pick<LoggedEvent, 'type' | 'at' | 'data'>): string {
  return JSON.stringify({ type, timestamp: at.toISOString(), data });
}
