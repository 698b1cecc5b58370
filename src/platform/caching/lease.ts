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

/** Largest number of heartbeats that are awaited at the same time. If there are more, the oldest is given up. */
const MAX_AWAITED = 8;

/**
 * The right to answer from caches: a lease, as in Gray and Cheriton, "Leases: An Efficient
 * Fault-Tolerant Mechanism for Distributed File Cache Consistency" (SOSP 1989).
 *
 * The process writes heartbeats. A heartbeat returns when the change stream of the process reports it. The
 * process holds the lease for 800 ms after it sent the newest heartbeat that has returned. The stream reports
 * changes in the order of the database, so when a heartbeat returns, the stream has reported every change before it.
 *
 * No heartbeat returns on a standalone, while the stream is down or late, or while the network is cut.
 * The lease then expires.
 */
@Injectable()
export class Lease {
  /** The `_id` of this process's heartbeat record. */
  readonly owner = randomUUID();
  private readonly logger = new Logger(Lease.name);
  /** Monotonic milliseconds at which the awaited heartbeats were sent, by their number, oldest first. */
  private readonly sentAt = new Map<number, number>();
  private count = 0;
  /** The heartbeat that is being written. */
  private sending: Promise<void> | null = null;
  private lastSentAt = -Infinity;
  private expiresAt = -Infinity;
  private lastRoundTripMs: number | null = null;

  constructor(
    @InjectModel(Heartbeat.name) private readonly heartbeats: Model<Heartbeat>,
    private readonly clock: Clock,
  ) {}

  /**
   * Whether the process holds the lease. The call also sends a heartbeat if the next one is due. Nothing else
   * sends heartbeats, so a process without requests sends none.
   */
  isHeld(): boolean {
    const now = this.clock.monotonic();
    if (now - this.lastSentAt >= HEARTBEAT_INTERVAL_MS) {
      this.sending ??= this.send(now).finally(() => (this.sending = null));
    }
    return now < this.expiresAt;
  }

  /**
   * Whether the process holds the lease. Unlike `isHeld` it sends no heartbeat, so it is also false after a
   * time without requests.
   */
  get isCurrent(): boolean {
    return this.clock.monotonic() < this.expiresAt;
  }

  /**
   * Milliseconds that the change stream is behind: the time that the last returned heartbeat took, or the
   * age of the oldest awaited heartbeat, whichever is longer. Null before a heartbeat has returned.
   */
  get lagMs(): number | null {
    if (this.lastRoundTripMs === null) return null;
    const [awaitedSince = Infinity] = this.sentAt.values();
    return Math.max(this.lastRoundTripMs, this.clock.monotonic() - awaitedSince);
  }

  /** Extends the lease. Call this method when a heartbeat has returned through the change stream. */
  returned(count: number): void {
    const sentAt = this.sentAt.get(count);
    if (sentAt === undefined) return;
    for (const earlier of this.sentAt.keys()) {
      if (earlier <= count) this.sentAt.delete(earlier);
    }
    this.expiresAt = Math.max(this.expiresAt, sentAt + LEASE_MS);
    this.lastRoundTripMs = this.clock.monotonic() - sentAt;
  }

  /** Ends the lease, and forgets the awaited heartbeats: they prove nothing about the next change stream. */
  revoke(): void {
    this.sentAt.clear();
    this.expiresAt = -Infinity;
    this.lastSentAt = -Infinity;
  }

  /**
   * Ends the lease for good, and removes the heartbeat record. The record stays if the lease had already expired,
   * because the database may then be unreachable.
   */
  async retire(): Promise<void> {
    const wasHeld = this.clock.monotonic() < this.expiresAt;
    this.revoke();
    this.lastSentAt = Infinity;
    if (!wasHeld) return;
    // A heartbeat that is written after the deletion would make the record anew.
    await this.sending;
    await this.heartbeats.deleteOne({ _id: this.owner }).catch(() => undefined);
  }

  private async send(now: number): Promise<void> {
    this.lastSentAt = now;
    const count = (this.count += 1);
    this.sentAt.set(count, now);
    const [oldest] = this.sentAt.keys();
    if (this.sentAt.size > MAX_AWAITED && oldest !== undefined) this.sentAt.delete(oldest);
    try {
      await this.heartbeats.updateOne(
        { _id: this.owner },
        { $set: { count, at: this.clock.now() } },
        // The write need not wait for a majority: the stream reports a heartbeat only when a majority has
        // it.
        { upsert: true, writeConcern: { w: 1 } },
      );
    } catch (error) {
      this.logger.debug(`heartbeat not written: ${String(error)}`);
    }
  }
}
