import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Clock } from '../common/clock.js';
import { Heartbeat } from './heartbeat.schema.js';

/** The least time between two heartbeats. */
const HEARTBEAT_INTERVAL_MS = 250;

/** How long the lease lasts, from the sending of the heartbeat that came back. */
const LEASE_MS = 800;

/** Heartbeats that may be under way at a time. What returns later than these is too old to count. */
const MAX_UNDERWAY = 8;

/**
 * The right to answer from caches: a lease, as in Gray and Cheriton, "Leases: An Efficient
 * Fault-Tolerant Mechanism for Distributed File Cache Consistency" (SOSP 1989). The process holds it
 * while the newest of its own heartbeats that came back through its change stream was sent less than
 * 800 ms ago. The stream keeps the order of the database, so every change before that heartbeat has
 * been seen.
 *
 * On a standalone, without a stream, behind a cut network or a slow stream no heartbeat comes back,
 * and the lease runs out by itself.
 */
@Injectable()
export class Lease {
  /** Names the heartbeats of this process. */
  readonly owner = randomUUID();
  private readonly logger = new Logger(Lease.name);
  private readonly sentAt = new Map<number, number>();
  private count = 0;
  private isSending = false;
  private lastSentAt = -Infinity;
  private goodUntil = -Infinity;

  constructor(
    @InjectModel(Heartbeat.name) private readonly heartbeats: Model<Heartbeat>,
    private readonly clock: Clock,
  ) {}

  /** Sends the next heartbeat when it is due, so a process that nobody asks sends none. */
  isHeld(): boolean {
    const now = this.clock.monotonic();
    if (now - this.lastSentAt >= HEARTBEAT_INTERVAL_MS && !this.isSending) void this.send(now);
    return now < this.goodUntil;
  }

  /** To be called when a heartbeat came back through the change stream. */
  returned(count: number): void {
    const sentAt = this.sentAt.get(count);
    if (sentAt === undefined) return;
    for (const earlier of this.sentAt.keys()) {
      if (earlier <= count) this.sentAt.delete(earlier);
    }
    this.goodUntil = Math.max(this.goodUntil, sentAt + LEASE_MS);
  }

  /** Gives the lease up. Heartbeats sent before now say nothing about the next change stream. */
  revoke(): void {
    this.sentAt.clear();
    this.goodUntil = -Infinity;
    this.lastSentAt = -Infinity;
  }

  /** Gives the lease up for good, and removes the record unless the database seems unreachable. */
  async retire(): Promise<void> {
    const isReachable = this.clock.monotonic() < this.goodUntil;
    this.revoke();
    this.lastSentAt = Infinity;
    if (isReachable) await this.heartbeats.deleteOne({ _id: this.owner }).catch(() => undefined);
  }

  private async send(now: number): Promise<void> {
    this.isSending = true;
    this.lastSentAt = now;
    const count = (this.count += 1);
    this.sentAt.set(count, now);
    const [oldest] = this.sentAt.keys();
    if (this.sentAt.size > MAX_UNDERWAY && oldest !== undefined) this.sentAt.delete(oldest);
    try {
      await this.heartbeats.updateOne(
        { _id: this.owner },
        { $set: { count, at: this.clock.now() } },
        // The stream reports it only once a majority has it: waiting for that here is not needed.
        { upsert: true, writeConcern: { w: 1 } },
      );
    } catch (error) {
      this.logger.debug(`heartbeat not written: ${String(error)}`);
    } finally {
      this.isSending = false;
    }
  }
}
