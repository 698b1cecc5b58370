import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Clock } from '../clock.js';
import { Heartbeat } from './change-stream/heartbeat.schema.js';

/** Minimum time between two heartbeats, in milliseconds. */
const HEARTBEAT_INTERVAL_MS = 250;

/** Length of the lease in milliseconds, from the time at which the returned heartbeat was sent. */
const LEASE_MS = 800;

/** Number of heartbeats that are awaited at a time. Older ones are ignored when they return. */
const MAX_UNDERWAY = 8;

/**
 * The right to answer from caches: a lease, as in Gray and Cheriton, "Leases: An Efficient
 * Fault-Tolerant Mechanism for Distributed File Cache Consistency" (SOSP 1989).
 *
 * The process writes heartbeats, and its change stream reports them to it. The process holds the lease
 * for 800 ms after it sent the newest heartbeat that has returned. The stream reports changes in the
 * order of the database, so by then it has reported every change before that heartbeat.
 *
 * No heartbeat returns on a standalone, while the stream is down or late, or while the network is cut.
 * The lease then expires.
 */
@Injectable()
export class Lease {
  /** The `_id` of this process's heartbeat record. */
  readonly owner = randomUUID();
  private readonly logger = new Logger(Lease.name);
  private readonly sentAt = new Map<number, number>();
  private count = 0;
  private isSending = false;
  private lastSentAt = -Infinity;
  private goodUntil = -Infinity;
  private lastRoundTripMs: number | null = null;

  constructor(
    @InjectModel(Heartbeat.name) private readonly heartbeats: Model<Heartbeat>,
    private readonly clock: Clock,
  ) {}

  /**
   * Whether the process holds the lease. It also sends a heartbeat when the next one is due, so
   * that a process without requests sends none.
   */
  isHeld(): boolean {
    const now = this.clock.monotonic();
    if (now - this.lastSentAt >= HEARTBEAT_INTERVAL_MS && !this.isSending) void this.send(now);
    return now < this.goodUntil;
  }

  /**
   * Whether the process holds the lease, without sending a heartbeat: it may be false because there
   * are no requests.
   */
  get isCurrent(): boolean {
    return this.clock.monotonic() < this.goodUntil;
  }

  /**
   * Milliseconds that the change stream is behind, or null before a heartbeat has returned. It is
   * the time that the last returned heartbeat took, or the age of the oldest awaited one, whichever
   * is longer.
   */
  get lagMs(): number | null {
    if (this.lastRoundTripMs === null) return null;
    const [awaitedSince = Infinity] = this.sentAt.values();
    return Math.max(this.lastRoundTripMs, this.clock.monotonic() - awaitedSince);
  }

  /** Extends the lease. Call it when a heartbeat has returned through the change stream. */
  returned(count: number): void {
    const sentAt = this.sentAt.get(count);
    if (sentAt === undefined) return;
    for (const earlier of this.sentAt.keys()) {
      if (earlier <= count) this.sentAt.delete(earlier);
    }
    this.goodUntil = Math.max(this.goodUntil, sentAt + LEASE_MS);
    this.lastRoundTripMs = this.clock.monotonic() - sentAt;
  }

  /** Ends the lease. Heartbeats that were sent before now prove nothing about the next change stream. */
  revoke(): void {
    this.sentAt.clear();
    this.goodUntil = -Infinity;
    this.lastSentAt = -Infinity;
  }

  /** Ends the lease for good. It removes the record, unless the database seems unreachable. */
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
        // The write need not wait for a majority: the stream reports it only when a majority has
        // it.
        { upsert: true, writeConcern: { w: 1 } },
      );
    } catch (error) {
      this.logger.debug(`heartbeat not written: ${String(error)}`);
    } finally {
      this.isSending = false;
    }
  }
}
