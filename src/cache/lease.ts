import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Clock } from '../common/clock.js';
import { Heartbeat } from './heartbeat.schema.js';

/** How often a beat is sent at most, and how long one that came back is good for. */
const HEARTBEAT_INTERVAL_MS = 250;
const LEASE_MS = 800;

/** So many beats may be on their way; what returns later is too old to be good for anything. */
const MAX_UNDERWAY = 8;

/**
 * Whether this process may answer from memory: only while the newest of its own beats that came back
 * through its change stream was sent less than 800 ms ago. A stream keeps the order, so every change
 * before that beat has been seen. Without a stream, on a standalone, behind a cut network or a slow
 * stream no beat comes back, and nothing else is needed to stop serving from memory.
 */
@Injectable()
export class Lease {
  /** Whose beats they are. */
  readonly owner = randomUUID();
  private readonly logger = new Logger(Lease.name);
  private readonly sentAt = new Map<number, number>();
  private count = 0;
  private isSending = false;
  private lastSentAt = -Infinity;
  private goodUntil = -Infinity;

  constructor(
    @InjectModel(Heartbeat.name) private readonly beats: Model<Heartbeat>,
    private readonly clock: Clock,
  ) {}

  /** Asked with every answer from memory, and so also what keeps the beats coming. */
  isHeld(): boolean {
    const now = this.clock.monotonic();
    if (now - this.lastSentAt >= HEARTBEAT_INTERVAL_MS && !this.isSending) void this.send(now);
    return now < this.goodUntil;
  }

  /** A beat came back through the stream. */
  returned(count: number): void {
    const sentAt = this.sentAt.get(count);
    if (sentAt === undefined) return;
    for (const earlier of this.sentAt.keys()) {
      if (earlier <= count) this.sentAt.delete(earlier);
    }
    this.goodUntil = Math.max(this.goodUntil, sentAt + LEASE_MS);
  }

  /** Beats sent before now prove nothing about the stream that follows. */
  revoke(): void {
    this.sentAt.clear();
    this.goodUntil = -Infinity;
    this.lastSentAt = -Infinity;
  }

  /** The record goes with the process, if the database is there; else an hour later. */
  async retire(): Promise<void> {
    const isReachable = this.clock.monotonic() < this.goodUntil;
    this.revoke();
    this.lastSentAt = Infinity;
    if (isReachable) await this.beats.deleteOne({ _id: this.owner }).catch(() => undefined);
  }

  private async send(now: number): Promise<void> {
    this.isSending = true;
    this.lastSentAt = now;
    const count = (this.count += 1);
    this.sentAt.set(count, now);
    const [oldest] = this.sentAt.keys();
    if (this.sentAt.size > MAX_UNDERWAY && oldest !== undefined) this.sentAt.delete(oldest);
    try {
      await this.beats.updateOne(
        { _id: this.owner },
        { $set: { count, at: this.clock.now() } },
        // The stream shows it once a majority has it; there is no need to wait for that twice.
        { upsert: true, writeConcern: { w: 1 } },
      );
    } catch (error) {
      this.logger.debug(`beat not written: ${String(error)}`);
    } finally {
      this.isSending = false;
    }
  }
}
