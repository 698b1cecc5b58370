import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Types } from 'mongoose';
import { holdClock, SECOND } from '../support/time/clock.js';
import { unique } from '../support/factories.js';
import { startApp, type TestApp } from '../support/start-app.js';
import { untilOpen } from '../support/mongo/change-streams.js';
import { until } from '../support/time/wait.js';

describe('lastUsedAt of an API key', () => {
  let server: TestApp;

  beforeAll(async () => {
    server = await startApp();
  });

  const keys = () => server.db.collection('api_keys');
  const works = async (key: string): Promise<boolean> =>
    (await server.client.with({ 'x-api-key': key }).get('/auth/verify/apikey')).status === 200;
  const lastUsedAt = async (_id: Types.ObjectId): Promise<number | undefined> =>
    ((await keys().findOne({ _id }))?.['lastUsedAt'] as Date | undefined)?.getTime();

  it('should be written when the key is used, at most once a minute', async () => {
    const clock = holdClock(server.app);
    const key = unique('used');
    const { insertedId: _id } = await keys().insertOne({ key, status: true });
    // In the order of the writes, so that the last one says that no other came before it.
    const reportedTimes: number[] = [];
    const stream = keys().watch([{ $match: { 'documentKey._id': _id } }]);
    stream.on('change', (change) => {
      if (change.operationType !== 'update') return;
      const { updatedFields } = change.updateDescription;
      reportedTimes.push((updatedFields?.['lastUsedAt'] as Date).getTime());
    });
    await untilOpen(stream);

    const first = clock.now();
    await until('the first use is noted', async () => {
      expect(await works(key)).toBe(true);
      return (await lastUsedAt(_id)) === first;
    });
    for (const step of [1, 30 * SECOND, 29 * SECOND + 998]) {
      clock.advance(step);
      expect(await works(key)).toBe(true);
    }
    clock.advance(SECOND);
    const later = clock.now();
    await until('a later use is noted', async () => {
      expect(await works(key)).toBe(true);
      return (await lastUsedAt(_id)) === later;
    });
    await until('the stream has caught up', () => reportedTimes.includes(later));
    await stream.close();
    clock.release();
    expect([...new Set(reportedTimes)]).toEqual([first, later]);
  });

  it('should not be written by a request that is refused', async () => {
    const key = unique('refused');
    const { insertedId: _id } = await keys().insertOne({ key, status: false });
    expect(await works(key)).toBe(false);
    await keys().updateOne({ _id }, { $set: { status: true } });
    expect(await lastUsedAt(_id)).toBeUndefined();
    await until('the key works', () => works(key));
    await until('the use is noted', async () => (await lastUsedAt(_id)) !== undefined);
  });

  it('should change neither updatedAt nor anything else', async () => {
    const key = unique('quiet');
    const { insertedId: _id } = await keys().insertOne({
      key,
      status: true,
      updatedAt: new Date(0),
    });
    await until('the key works', () => works(key));
    await until('the use is noted', async () => (await lastUsedAt(_id)) !== undefined);
    expect(await keys().findOne({ _id })).toEqual({
      _id,
      key,
      status: true,
      updatedAt: new Date(0),
      lastUsedAt: expect.any(Date),
    });
  });
});
