import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection, mongo } from 'mongoose';
import { ensureIndexes } from '../../../src/platform/database/indexes.js';
import { MigrationService } from '../../../src/platform/database/migrations/migration.service.js';
import { PlanRecorder } from '../../support/query-plans/plan-recorder.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { until } from '../../support/time/wait.js';
import {
  RECORDS,
  ALLOWED_QUERIES,
  EXCESSIVE_QUERIES,
  SCANNING_LOOKUP,
  WRONG_PLANS,
} from './plan-cases.js';

describe('The recorder of query plans', () => {
  let server: TestApp;
  let connection: Connection;
  /** The server's connection, whose commands are recorded. */
  let db: mongo.Db;
  let recorder: PlanRecorder;

  beforeAll(async () => {
    server = await startApp();
    connection = server.app.get<Connection>(getConnectionToken());
    db = connection.getClient().db(connection.name);
    // Stops the server's own recorder, because the queries of these tests are wrong on purpose.
    expect(await server.plans?.stop()).toEqual([]);
  });

  beforeEach(async () => {
    for (const name of ['items', 'others']) {
      const collection = server.db.collection(name);
      await collection.deleteMany({});
      await collection.createIndex({ indexed: 1 });
      await collection.createIndex({ first: 1, second: 1 });
    }
    await record();
  });

  afterEach(async () => {
    await recorder.stop();
  });

  /** Restarts the recorder, without the profiler's earlier records. */
  async function record(): Promise<void> {
    await server.db.command({ profile: 0 });
    await server.db.dropCollection('system.profile');
    recorder = await PlanRecorder.start(server.app, server.uri);
  }

  async function fill(): Promise<void> {
    const records = Array.from({ length: RECORDS }, (_, number) => ({
      indexed: number,
      plain: number % 10,
      first: number,
      second: number === RECORDS - 1 ? 1 : 0,
      rev: 1,
    }));
    for (const name of ['items', 'others']) {
      await server.db.collection(name).insertMany(records.map((record) => ({ ...record })));
    }
  }

  describe.each(WRONG_PLANS)('for %s', (_what, expected, query) => {
    it.each([
      ['few', false],
      ['many', true],
    ])('should report the plan with %s records', async (_count, isFull) => {
      // Without records, the plan of a $lookup is not shown.
      await server.db.collection('items').insertOne({ indexed: 1 });
      if (isFull) await fill();
      await query(db);
      const violations = await recorder.stop();
      expect(violations.filter((violation) => expected.test(violation))).toHaveLength(1);
      expect(violations[0]).toContain('caused by: outside of every request');
    });
  });

  describe.each(EXCESSIVE_QUERIES)('for %s', (_what, expected, query) => {
    it('should report the number of examined keys and documents', async () => {
      await fill();
      await server.db.collection('blogs').createIndex({ rev: 1 });
      await server.db
        .collection('blogs')
        .insertMany(Array.from({ length: 600 }, (_, n) => ({ rev: 1, slugs: [`s${n}`] })));
      await query(db);
      const violations = await recorder.stop();
      await server.db.collection('blogs').deleteMany({});
      await server.db.collection('blogs').dropIndex('rev_1');
      expect(violations.join('\n')).toMatch(expected);
    });
  });

  it.each(ALLOWED_QUERIES)('should report nothing for %s', async (_what, query) => {
    await fill();
    await query(db);
    await until('all plans', () => recorder.shapes().every(({ isExplained }) => isExplained));
    expect(await recorder.stop()).toEqual([]);
  });

  it('should explain again a query that found no records before', async () => {
    await SCANNING_LOOKUP(db);
    await until('the first plan', () => recorder.shapes().every(({ isExplained }) => isExplained));
    await server.db.collection('items').insertOne({ indexed: 1 });
    await SCANNING_LOOKUP(db);
    expect(await recorder.stop()).toEqual([expect.stringMatching(/^COLLSCAN in /)]);
  });

  it('should record transactions', async () => {
    await fill();
    await connection.transaction(async (session) => {
      const filter = { indexed: { $gte: 0 }, plain: -1 };
      await db.collection('items').updateMany(filter, { $set: { seen: true } }, { session });
    });
    expect(await recorder.stop()).toEqual([expect.stringMatching(/^100 keys/)]);
  });

  it('should report the requests, the bound and the command', async () => {
    await server.db.collection('blogs').dropIndex('status_1_published_1_live.at_-1__id_-1');
    for (const query of ['page=1', 'limit=3']) {
      // Without its index the list is slow, but works.
      expect((await server.client.get(`/blogs/latest?${query}`)).status).toBe(200);
    }
    const violations = await recorder.stop();
    const violation = violations.find((text) => text.startsWith('SORT')) ?? '';
    await ensureIndexes(connection, connection);
    expect(violation).toContain('caused by: GET /blogs/latest?page=1, GET /blogs/latest?limit=3');
    expect(violation).toContain('bound: everything else');
    expect(violation).toContain('"sort":{"live.at":-1,"_id":-1}');
  });

  it('should allow only a migration to scan a collection', async () => {
    await server.app.get(MigrationService).run({ dryRun: true });
    expect(await recorder.stop()).toEqual([]);
    await record();
    // A migration sends this query too.
    await db.collection('roles').find().toArray();
    expect(await recorder.stop()).toEqual([expect.stringMatching(/^COLLSCAN/)]);
  });

  it('should report that the profiler was switched off', async () => {
    await server.db.command({ profile: 0 });
    expect(await recorder.stop()).toEqual(['the profiler was switched off meanwhile']);
  });

  it('should make closing the server fail after a query out of bounds', async () => {
    const other = await startApp({ uri: server.uri });
    const own = other.app.get<Connection>(getConnectionToken());
    await own.getClient().db(own.name).collection('items').findOne({ plain: 1 });
    await expect(other.close()).rejects.toThrow(/queries out of bounds:\nCOLLSCAN/);
  });
});
