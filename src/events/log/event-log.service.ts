import { setTimeout as wait } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { InjectConnection, InjectModel } from '@nestjs/mongoose';
import type { Connection, Model, mongo } from 'mongoose';
import { Clock } from '../../platform/clock.js';
import { BACKGROUND, OPERATION_MAX_MS } from '../../platform/database/client-options.js';
import { isDuplicateKey } from '../../platform/database/is-duplicate-key.js';
import { EventsGoneError } from './event-log.errors.js';
import { LoggedEvent, type NewEvent } from './event-log.schema.js';

/** The name of the background job that adds events: wake it after a write that has made one. */
export const OUTBOX_RELAY = 'blog event relay';

/** Largest number of events that one write adds. */
const BATCH = 500;

/** Number of times that a write is tried while another process adds events. */
const ATTEMPTS = 50;

/** Milliseconds that a write waits for the other process between two attempts. */
const ATTEMPT_MS = 20;

/**
 * Called in the process that has added events.
 *
 * @param lastSeq the number of the newest event
 */
export type StoredListener = (lastSeq: number) => void;

type Events = mongo.Collection<LoggedEvent>;

/**
 * The events that clients may hear of, in one numbered order (docs/adr/0009).
 *
 * No event ever appears below a number that was visible. The next number is that of the newest
 * event that a majority of the replica set has, plus one, and `_id` is unique: if two processes add
 * events at a time, one of them gets a duplicate key, reads again, and adds its events after those
 * of the other. A failover could undo an event that no majority has, and give its number to
 * another, so nobody reads such an event.
 */
@Injectable()
export class EventLog {
  private readonly logger = new Logger(EventLog.name);
  private readonly listeners = new Set<StoredListener>();

  constructor(
    @InjectModel(LoggedEvent.name) private readonly model: Model<LoggedEvent>,
    @InjectConnection(BACKGROUND) private readonly connection: Connection,
    private readonly clock: Clock,
  ) {}

  /**
   * Adds the events that are not in the log yet, in this order, and waits until a majority has
   * them. The call may be repeated, and run in several processes at a time: an event has one id.
   */
  async append(events: readonly NewEvent[]): Promise<void> {
    if (events.length === 0) return;
    for (let at = 0; at < events.length; at += BATCH) {
      await this.appendBatch(events.slice(at, at + BATCH));
    }
    // Listeners are told even if another process has added the events: it may have been killed
    // before it told anybody.
    this.tell(await newestIn(this.events()));
  }

  /**
   * The events after a number, in order. Each was committed by a majority.
   *
   * @param seq null for the oldest events that are kept
   * @throws EventsGoneError when the next event is not kept any more
   */
  async after(seq: number | null, limit: number): Promise<LoggedEvent[]> {
    const events = await this.keptAfter(seq ?? 0, limit);
    // The numbers have no gaps, and the newest event is always kept.
    const [first] = events;
    if (seq !== null && first && first._id !== seq + 1) throw new EventsGoneError();
    return events;
  }

  /** The events after a number, in order, without those that are not kept any more. */
  async keptAfter(seq: number, limit: number): Promise<LoggedEvent[]> {
    return (this.model.collection as unknown as Events)
      .find({ _id: { $gt: seq } }, { maxTimeMS: OPERATION_MAX_MS, ...COMMITTED })
      .sort({ _id: 1 })
      .limit(limit)
      .toArray();
  }

  /** The event with this id; null if it is not in the log, or not any more. */
  async find(id: string): Promise<LoggedEvent | null> {
    return (this.model.collection as unknown as Events).findOne(
      { id },
      { maxTimeMS: OPERATION_MAX_MS, ...COMMITTED },
    );
  }

  /** The number of the newest event; 0 before the first one. */
  async lastSeq(): Promise<number> {
    return newestIn(this.model.collection as unknown as Events);
  }

  /**
   * Calls the listener after this process has added events. It is not called for events that
   * another process adds, and may be called without anything new: it reads with `after`.
   *
   * @returns a function that ends the calls
   */
  onStored(listener: StoredListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private async appendBatch(events: readonly NewEvent[]): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const missing = await this.withoutLogged(events);
      if (missing.length === 0) return;
      if (await this.insert(missing, await newestIn(this.events()))) return;
      await wait(ATTEMPT_MS);
    }
    throw new Error('another process adds events all the time');
  }

  /** @returns false when another process has added events after the newest one that was read */
  async insert(events: readonly NewEvent[], newest: number): Promise<boolean> {
    const loggedAt = this.clock.now();
    const numbered = events.map((event, index) => ({
      _id: newest + 1 + index,
      ...event,
      loggedAt,
    }));
    try {
      // The insertion is ordered, so that an event is never visible before the one with the number
      // below.
      await this.events().insertMany(numbered, { ordered: true, writeConcern: { w: 'majority' } });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  private async withoutLogged(events: readonly NewEvent[]): Promise<readonly NewEvent[]> {
    const ids = events.map(({ id }) => id);
    const logged = await this.events()
      .find({ id: { $in: ids } }, { projection: { _id: 0, id: 1 }, ...COMMITTED })
      .map(({ id }) => id)
      .toArray();
    return events.filter(({ id }) => !logged.includes(id));
  }

  private tell(lastSeq: number): void {
    for (const listener of this.listeners) {
      try {
        listener(lastSeq);
      } catch (error) {
        this.logger.error(`a listener of the event log failed: ${String(error)}`);
      }
    }
  }

  private events(): Events {
    // The driver's collection is used, because Mongoose's queues operations while disconnected.
    return this.connection.getClient().db(this.connection.name).collection('events');
  }
}

const COMMITTED = { readConcern: { level: 'majority' }, readPreference: 'primary' } as const;

async function newestIn(events: Events): Promise<number> {
  const newest = await events.findOne(
    {},
    { sort: { _id: -1 }, projection: { _id: 1 }, ...COMMITTED },
  );
  return newest?._id ?? 0;
}
