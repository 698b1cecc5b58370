import { setTimeout as wait } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { InjectConnection, InjectModel } from '@nestjs/mongoose';
import type { Connection, Model, mongo } from 'mongoose';
import { Clock } from '../../platform/clock.js';
import { BACKGROUND, OPERATION_MAX_MS } from '../../platform/database/client-options.js';
import { isDuplicateKey } from '../../platform/database/is-duplicate-key.js';
import { EventsGoneError } from './event-log.errors.js';
import { LoggedEvent, type NewEvent } from './event-log.schema.js';

/** The name of the background job that adds events: wake it after a write that has stored an event in the outbox. */
export const OUTBOX_RELAY = 'blog event relay';

/** Largest number of events that one write adds. */
const BATCH = 500;

/** Largest number of attempts of a write while other processes add events. */
const ATTEMPTS = 50;

/** Milliseconds between two attempts of a write. */
const ATTEMPT_MS = 20;

/**
 * Called after an `append` in the same process, even if another process had added the events already.
 *
 * @param lastSeq the number of the newest event
 */
export type StoredListener = (lastSeq: number) => void;

type Events = mongo.Collection<LoggedEvent>;

/**
 * The events for clients, numbered in one order (docs/adr/0009).
 *
 * No event ever appears below a number that was visible. A new event gets the number of the newest
 * event that a majority of the replica set has, plus one, as its `_id`, which is unique. If two
 * processes add events at the same time, one of them gets a duplicate key error, reads the newest
 * number again, and adds its events after those of the other process. All reads use read concern
 * `majority`: a failover could roll back an event that no majority has, and a different event would
 * then get its number.
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
   * them. The call may be repeated, and may run in several processes at the same time, because the
   * id identifies an event.
   */
  async append(events: readonly NewEvent[]): Promise<void> {
    if (events.length === 0) return;
    for (let start = 0; start < events.length; start += BATCH) {
      await this.appendBatch(events.slice(start, start + BATCH));
    }
    // Listeners are notified even if another process has added the events, because that process may
    // have been killed before it notified its own listeners.
    this.tell(await lastSeqOf(this.events()));
  }

  /**
   * The events after a number, in order. A majority has each of them.
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
      .find({ _id: { $gt: seq } }, { maxTimeMS: OPERATION_MAX_MS, ...MAJORITY_READ })
      .sort({ _id: 1 })
      .limit(limit)
      .toArray();
  }

  /** The event with this id; null if it is not in the log, or not any more. */
  async find(id: string): Promise<LoggedEvent | null> {
    return (this.model.collection as unknown as Events).findOne(
      { id },
      { maxTimeMS: OPERATION_MAX_MS, ...MAJORITY_READ },
    );
  }

  /** The number of the newest event; 0 before the first one. */
  async lastSeq(): Promise<number> {
    return lastSeqOf(this.model.collection as unknown as Events);
  }

  /**
   * Calls the listener after each `append` of this process. Events that only other processes append
   * do not cause a call, and a call does not mean that there are new events: the listener reads them
   * itself.
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
      if (await this.insert(missing, await lastSeqOf(this.events()))) return;
      await wait(ATTEMPT_MS);
    }
    throw new Error('another process adds events all the time');
  }

  /** @returns false when another process has added events after the number `lastSeq` */
  async insert(events: readonly NewEvent[], lastSeq: number): Promise<boolean> {
    const loggedAt = this.clock.now();
    const numbered = events.map((event, index) => ({
      _id: lastSeq + 1 + index,
      ...event,
      loggedAt,
    }));
    try {
      // The insertion is ordered, so that an event is never visible before the event with the next
      // lower number.
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
      .find({ id: { $in: ids } }, { projection: { _id: 0, id: 1 }, ...MAJORITY_READ })
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
    return this.connection.getClient().db(this.connection.name).collection('events');
  }
}

const MAJORITY_READ = { readConcern: { level: 'majority' }, readPreference: 'primary' } as const;

async function lastSeqOf(events: Events): Promise<number> {
  const newest = await events.findOne(
    {},
    { sort: { _id: -1 }, projection: { _id: 1 }, ...MAJORITY_READ },
  );
  return newest?._id ?? 0;
}
