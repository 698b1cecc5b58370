import type { mongo } from 'mongoose';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CacheCoherenceService } from '../../../src/platform/caching/cache-coherence.service.js';
import { MemberConnections } from '../../../src/platform/caching/failover/member-connections.js';
import { blogIn, type BlogInState } from '../../support/factories.js';
import { connect } from '../../support/mongo/mongo.js';
import { OwnMongo } from '../../support/mongo/own-mongo.js';
import { SERVER_NAME } from '../../support/query-plans/profiler.js';
import { until } from '../../support/time/wait.js';
import { untilServing } from './support/barriers.js';
import { openFixture, takeDown, type Fixture } from './support/fixture.js';

const TIMEOUT_MS = 120_000;

/** An election timeout that is long enough for the reads of a test. */
const NO_ELECTION_MS = 8_000;

/** How long a read may take. */
const MAX_MS = 1_000;

type Members = readonly [OwnMongo, OwnMongo, OwnMongo];

async function open(
  electionTimeoutMs: number,
  name: string,
): Promise<{ members: Members; server: Fixture }> {
  const members = await OwnMongo.createThree(electionTimeoutMs);
  return { members, server: await openFixture({ uri: members[0].uri(name) }) };
}

/** The server opens these before its first public read, when it checks whether it may ask the members. */
function memberClients({ app }: Fixture): readonly mongo.MongoClient[] {
  interface Holder {
    readonly clients: ReadonlyMap<string, mongo.MongoClient>;
  }
  const { clients } = app.get<unknown>(MemberConnections) as Holder;
  expect(clients.size).toBe(3);
  return [...clients.values()];
}

async function timed<Result>(work: () => Promise<Result>): Promise<[Result, number]> {
  const startedAt = performance.now();
  return [await work(), performance.now() - startedAt];
}

describe('public reads while there is no primary', () => {
  let members: Members;
  let server: Fixture;
  let liveBlog: BlogInState;
  let unpublishedBlog: BlogInState;
  let entriesBefore: number;

  /** Names of the commands that the server has sent to single members. */
  const commands = new Set<string>();

  const entries = (): number =>
    server.app.get(CacheCoherenceService).caches.reduce((sum, { size }) => sum + size, 0);

  beforeAll(async () => {
    ({ members, server } = await open(NO_ELECTION_MS, 'failover'));
    const { author, editor } = server;
    liveBlog = await blogIn('live', author, editor, { tags: ['Failing over'] });
    unpublishedBlog = await blogIn('live', author, editor);
    for (const client of memberClients(server)) {
      client.on('commandStarted', ({ commandName }) => commands.add(commandName));
    }
    const undecidedBlog = await blogIn('live', author, editor);
    await untilServing(server.app);
    const [primary, other, lagging] = members;
    await lagging.failPoint('rsSyncApplyStop', 'alwaysOn');
    // This write reaches the primary and one secondary, and is acknowledged.
    const path = `/blog/editor/unpublish/id/${unpublishedBlog._id}`;
    expect((await editor.client.put(path)).status).toBe(200);
    // This write reaches only the primary, and is never acknowledged. The server learns its operation time.
    await other.failPoint('stopReplProducer', 'alwaysOn');
    expect((await editor.client.put(`/blog/editor/unpublish/id/${undecidedBlog._id}`)).status).toBe(
      503,
    );
    await primary.stop('SIGKILL');
    await other.failPoint('stopReplProducer', 'off');
    // Until the lease ends, a majority read may still be answered and stored.
    await until('the lease to end', () => !server.app.get(CacheCoherenceService).isServing());
    expect((await server.client.get('/tags')).status).toBe(200);
    entriesBefore = entries();
  }, TIMEOUT_MS);

  afterAll(async () => {
    const [primary, other, lagging] = members;
    other.resume();
    await lagging.failPoint('rsSyncApplyStop', 'off');
    await primary.start();
    await server.close();
    await Promise.all(members.map((member) => member.remove()));
  }, TIMEOUT_MS);

  it.each([
    ['an article', () => `/blog/id/${liveBlog._id}`],
    ['a list', () => '/blogs/latest'],
    ['a total', () => '/blogs/latest?total=true'],
    ['a tag', () => '/blogs/tag/Failing%20over'],
    ['similar articles', () => `/blogs/similar/id/${liveBlog._id}`],
    ['a search', () => `/blogs/search?q=${encodeURIComponent(liveBlog.body.title)}`],
    ['the tags', () => '/tags'],
    ['an author', () => `/authors/id/${server.author._id}`],
    ['a feed', () => '/feeds/rss.xml'],
    ['the sitemap', () => '/sitemap.xml'],
    ['the health check', () => '/health'],
  ])('should be answered within a second, with no-store: %s', async (_, path) => {
    const [{ status, headers }, ms] = await timed(() => server.client.get(path()));
    expect(status).toBe(200);
    expect(ms).toBeLessThan(MAX_MS);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('should not show what was unpublished, although a secondary still has it', async () => {
    for (let i = 0; i < 10; i += 1) {
      expect((await server.client.get(`/blog/id/${unpublishedBlog._id}`)).status).toBe(404);
    }
  });

  it('should fill no cache, because what they read may be rolled back', () => {
    expect(entries()).toBeLessThanOrEqual(entriesBefore);
  });

  it('should be repeated while the member that has every acknowledged write refuses reads', async () => {
    const data = { failCommands: ['find'], errorCode: 11_602, appName: SERVER_NAME };
    await members[1].failPoint('failCommand', { times: 4 }, data);
    const [{ status }, ms] = await timed(() => server.client.get(`/blog/id/${liveBlog._id}`));
    await members[1].failPoint('failCommand', 'off');
    expect(status).toBe(200);
    expect(ms).toBeLessThan(MAX_MS);
  });

  describe('with a member that refuses reads', () => {
    const untilProbedAgain = async (): Promise<void> => {
      commands.delete('hello');
      await until('another probe', async () => {
        await server.client.get(`/blog/id/${liveBlog._id}`);
        return commands.has('hello');
      });
    };

    it('should be answered by the newest member if another one refuses reads', async () => {
      const [, , lagging] = members;
      await lagging.maintenance(true);
      await untilProbedAgain();
      const [{ status }, ms] = await timed(() => server.client.get(`/blog/id/${liveBlog._id}`));
      expect(status).toBe(200);
      expect(ms).toBeLessThan(MAX_MS);
      expect((await server.client.get(`/blog/id/${unpublishedBlog._id}`)).status).toBe(404);
      await lagging.maintenance(false);
    });

    it('should be refused if the newest member refuses reads', async () => {
      const [, newest] = members;
      await newest.maintenance(true);
      await untilProbedAgain();
      expect((await server.client.get(`/blog/id/${unpublishedBlog._id}`)).status).toBe(503);
      await newest.maintenance(false);
      await untilProbedAgain();
      expect((await server.client.get(`/blog/id/${unpublishedBlog._id}`)).status).toBe(404);
    });
  });

  it('should send single members only commands that read', () => {
    const reads = ['hello', 'replSetGetConfig', 'find', 'aggregate', 'count'];
    expect([...commands].filter((name) => !reads.includes(name))).toEqual([]);
    expect(commands).toContain('find');
  });

  it('should work unlike writes, which get 503 and the reason outcome_unknown', async () => {
    const { status, headers, body } = await server.author.client.put(
      `/blog/author/id/${liveBlog._id}`,
      { title: 'Written without a primary' },
    );
    expect({ status, code: body.code, after: headers.get('retry-after') }).toEqual({
      status: 503,
      code: '10002',
      after: '1',
    });
    expect(body).toMatchObject({ reason: 'outcome_unknown' });
  });

  it('should be refused when only the member that lags is left', async () => {
    await members[1].suspend();
    // Reads that use the last probe may still be answered.
    await until('a refusal', async () => {
      const { status } = await server.client.get(`/blog/id/${liveBlog._id}`);
      return status === 503;
    });
    const [{ status, body }, ms] = await timed(() =>
      server.client.get(`/blog/id/${unpublishedBlog._id}`),
    );
    expect({ status, code: body.code }).toEqual({ status: 503, code: '10002' });
    expect(ms).toBeLessThan(3 * MAX_MS);
  });
});

describe('a primary that is replaced', () => {
  let members: Members;
  let server: Fixture;

  beforeAll(async () => {
    ({ members, server } = await open(1_000, 'back'));
  }, TIMEOUT_MS);

  afterAll(async () => {
    await server.close();
    await Promise.all(members.map((member) => member.remove()));
  }, TIMEOUT_MS);

  it('should not fail a read that it and another member refuse as if shutting down', async () => {
    const blog = await blogIn('live', server.author, server.editor);
    // Fails the first try and the driver's retry on another member. Each takes longer than the server's SECOND_TRY_MS.
    const slowly = { blockConnection: true, blockTimeMS: 400, errorCode: 91 };
    const data = { failCommands: ['find'], appName: SERVER_NAME, ...slowly };
    for (const member of members) await member.failPoint('failCommand', { times: 1 }, data);
    expect((await server.client.get(`/blog/id/${blog._id}`)).status).toBe(200);
    const [ofPrimary = 0, ...ofOthers] = await Promise.all(
      members.map((member) => member.failPoint('failCommand', 'off')),
    );
    expect(ofPrimary).toBe(1);
    expect(Math.max(...ofOthers)).toBe(1);
  });

  it(
    'should, a second after it resumes, not show what its successor has unpublished',
    async () => {
      const blog = await blogIn('live', server.author, server.editor);
      const path = `/blog/id/${blog._id}`;
      await untilServing(server.app);
      await members[0].suspend();
      // Either the cache answers this read, or the other members do.
      const [{ status }, ms] = await timed(() => server.client.get(path));
      expect(status).toBe(200);
      expect(ms).toBeLessThan(2 * MAX_MS);
      // A client that has never seen the old primary.
      const db = (await connect(members[1].uri('back'))).db();
      await until(
        'a write through the successor',
        () =>
          takeDown(db, blog._id, { writeConcern: { w: 'majority' } }).then(
            () => true,
            () => false,
          ),
        60_000,
      );
      const goneAfter = performance.now() + 1_000;
      members[0].resume();
      const lateStatuses: number[] = [];
      await until('five seconds of reads', async () => {
        const startedAt = performance.now();
        lateStatuses.push(startedAt > goneAfter ? (await server.client.get(path)).status : 404);
        return startedAt > goneAfter + 5_000;
      });
      expect(new Set(lateStatuses)).toEqual(new Set([404]));
    },
    TIMEOUT_MS,
  );
});
