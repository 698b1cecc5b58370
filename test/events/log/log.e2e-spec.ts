import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { EventsGoneError } from '../../../src/events/log/event-log.errors.js';
import type { LoggedEvent } from '../../../src/events/log/event-log.schema.js';
import { EventLog } from '../../../src/events/log/event-log.service.js';
import { EventRetention } from '../../../src/events/log/event-retention.job.js';
import { OwnMongo } from '../../support/mongo/own-mongo.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { DAY } from '../../support/time/clock.js';
import { newEvents } from '../new-events.js';

describe.each(['a replica set', 'a standalone'])('the event log, on %s', (kind) => {
  let server: TestApp;
  let other: TestApp;
  let log: EventLog;
  let otherLog: EventLog;

  beforeAll(async () => {
    const options =
      kind === 'a standalone' ? { uri: (await OwnMongo.createStandalone()).uri('events') } : {};
    server = await startApp(options);
    other = await startApp({ uri: server.uri });
    log = server.app.get(EventLog);
    otherLog = other.app.get(EventLog);
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await events().deleteMany({});
  });

  const events = () => server.db.collection<LoggedEvent>('events');
  const stored = () => events().find().sort({ _id: 1 }).toArray();
  const numbers = async () => (await stored()).map(({ _id }) => _id);
  const idsOf = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id);

  it('should number events from 1, in the order in which they are appended', async () => {
    expect([await log.lastSeq(), await log.after(null, 10), await log.after(0, 10)]).toEqual([
      0,
      [],
      [],
    ]);
    const first = newEvents(3);
    const second = newEvents(2);
    await log.append(first);
    await otherLog.append(second);
    expect(idsOf(await stored())).toEqual(idsOf([...first, ...second]));
    expect(await numbers()).toEqual([1, 2, 3, 4, 5]);
    expect([await log.lastSeq(), await otherLog.lastSeq()]).toEqual([5, 5]);
    expect(await log.after(2, 2)).toMatchObject([
      { _id: 3, ...first[2] },
      { _id: 4, ...second[0] },
    ]);
    expect(await log.after(5, 2)).toEqual([]);
  });

  it('should hold an event once, however often it is appended', async () => {
    const batch = newEvents(4);
    await log.append(batch.slice(0, 2));
    await log.append(batch);
    await otherLog.append(batch.toReversed());
    expect(idsOf(await stored())).toEqual(idsOf(batch));
    expect(await numbers()).toEqual([1, 2, 3, 4]);
  });

  it('should append more events than one write can hold', async () => {
    const batch = newEvents(1_203);
    await log.append(batch);
    expect(idsOf(await stored())).toEqual(idsOf(batch));
    expect((await numbers()).at(-1)).toBe(1_203);
  });

  it('should add events only after those that can be read already, while processes race', async () => {
    const batches = Array.from({ length: 40 }, (_, n) => newEvents((n % 3) + 1));
    let isWriting = true;
    const seen: string[][] = [];
    const reading = (async () => {
      while (isWriting) seen.push(idsOf(await log.after(0, 1_000)));
    })();
    const writing = [log, otherLog, log, otherLog].map(async (each, writer) => {
      for (const [index, batch] of batches.entries()) {
        // Writer 0 appends the even batches, writer 1 the odd ones, writers 2 and 3 all.
        if (index % 2 === writer % 2 || writer > 1) await each.append(batch);
      }
    });
    await Promise.all(writing);
    isWriting = false;
    await reading;
    const all = await stored();
    expect(idsOf(all).sort()).toEqual(idsOf(batches.flat()).sort());
    expect(await numbers()).toEqual(all.map((_, index) => index + 1));
    expect(seen.length).toBeGreaterThan(3);
    // Each read has returned the beginning of the final log.
    for (const ids of seen) expect(ids).toEqual(idsOf(all).slice(0, ids.length));
  });

  it('should append behind an event that another process has added after the last number was read', async () => {
    await log.append(newEvents(2));
    const [late, early] = newEvents(2);
    const insert = log.insert.bind(log);
    jest.spyOn(log, 'insert').mockImplementationOnce(async (batch, newest) => {
      // Simulates that this process is suspended here.
      await otherLog.append([early!]);
      return insert(batch, newest);
    });
    await log.append([late!]);
    expect(idsOf(await stored()).slice(2)).toEqual(idsOf([early!, late!]));
    expect(await numbers()).toEqual([1, 2, 3, 4]);
  });

  it('should notify only listeners in the process that has added events', async () => {
    const notified: number[] = [];
    const others: number[] = [];
    const unsubscribe = log.onStored((seq) => notified.push(seq));
    log.onStored(() => {
      throw new Error('broken');
    });
    otherLog.onStored((seq) => others.push(seq));
    const batch = newEvents(2);
    await log.append(batch);
    await log.append(newEvents(1));
    // Known events notify again, because a killed process may not have notified anybody.
    await log.append(batch);
    await log.append([]);
    unsubscribe();
    await log.append(newEvents(1));
    expect([notified, others]).toEqual([[2, 3, 3], []]);
    // Nest has one logger, which writes to the log of the server that was started last.
    const lines = [...server.log, ...other.log];
    expect(lines.filter((line) => line.includes('broken'))).not.toEqual([]);
  });

  describe('after some time', () => {
    const age = (seqs: readonly number[], days: number) =>
      events().updateMany(
        { _id: { $in: [...seqs] } },
        { $set: { loggedAt: new Date(Date.now() - days * DAY) } },
      );
    const clean = () => server.app.get(EventRetention).run(new AbortController().signal);

    it('should remove events older than seven days, and throw when a caller asks for removed ones', async () => {
      const retention = server.app.get(EventRetention);
      await log.append(newEvents(5));
      await age([1, 2], 6.9);
      expect([await retention.isDue(), await clean()]).toEqual([false, null]);
      await age([1, 2], 7.1);
      expect([await retention.isDue(), await clean()]).toEqual([true, 'events removed: 2']);
      expect(await numbers()).toEqual([3, 4, 5]);
      await expect(log.after(0, 10)).rejects.toThrow(EventsGoneError);
      await expect(log.after(1, 10)).rejects.toThrow(EventsGoneError);
      expect(await log.after(2, 10)).toHaveLength(3);
      expect(await log.after(null, 10)).toHaveLength(3);
    });

    it('should keep the newest event, so that no number is given twice', async () => {
      await log.append(newEvents(3));
      await age([1, 2, 3], 100);
      await clean();
      expect(await numbers()).toEqual([3]);
      await log.append(newEvents(1));
      expect(await numbers()).toEqual([3, 4]);
      await clean();
      expect(await numbers()).toEqual([4]);
    });

    it('should leave no gap among the events that stay', async () => {
      await log.append(newEvents(4));
      // An event may be older than the one before it, because clocks of processes differ.
      await age([1, 3], 8);
      await clean();
      expect(await numbers()).toEqual([2, 3, 4]);
    });

    it('should remove more events than one step removes', async () => {
      await log.append(newEvents(2_500));
      await events().updateMany({}, { $set: { loggedAt: new Date(0) } });
      expect(await clean()).toBe('events removed: 2499');
      expect(await numbers()).toEqual([2_500]);
    });
  });
});
