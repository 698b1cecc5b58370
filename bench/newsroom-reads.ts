import { setTimeout as wait } from 'node:timers/promises';
import mongoose, { type mongo } from 'mongoose';
import { buildIfStale } from '../scripts/build-if-stale.mjs';
import { table } from '../scripts/support/table.ts';
import { API_KEY, AUTHOR_ACCOUNTS, insertPeople } from './performance/data/people.ts';
import { startMongo } from './performance/mongo.ts';
import { Servers, type Headers, type Server } from './performance/servers.ts';
import { chooseCpus } from './support/cpus.ts';
import { atEnd, runProgram, valuesOf } from './support/program.ts';
import { cycled } from './support/statistics.ts';

const USAGE = `usage: npm run bench:newsroom-reads -- [--blogs N]

What the history, the comments and the revisions of one blog cost in a database of 1,000 blogs and in one
of many: how many index keys and records MongoDB examines for each request. Exits with 1 when a request
examines more than twice what it returns, plus 10.

  --blogs N  in the large database; default 1000000, which takes a few minutes`;

const { MongoClient, ObjectId } = mongoose.mongo;
const FEW = 1_000;
const RELAY_MS = 60_000;
const BATCH = 5_000;
const COMMENTS = 120;
const SUBMISSIONS = 12;
/** The revision numbers of the submissions: each comes after an edit and before a publication. */
const SUBMITTED = Array.from({ length: SUBMISSIONS }, (_, number) => 3 + 3 * number);
/** Each read is one of the blog, and one of what belongs to it. */
const EXAMINED_MAX = (returned: number) => 2 * returned + 10;
const COLLECTIONS = ['blogs', 'blog_events', 'blog_comments', 'blog_revisions'];

interface StoredBlog {
  readonly _id: mongo.ObjectId;
  readonly author: mongo.ObjectId;
  readonly live: object;
}

/** What a request has caused in the database. */
interface Cost {
  readonly queries: number;
  readonly keys: number;
  readonly records: number;
  readonly returned: number;
}

await runProgram(USAGE, async (args) => {
  const { blogs: many } = valuesOf(args, USAGE, { blogs: { type: 'string', default: '1000000' } });
  buildIfStale();
  const cpus = chooseCpus();
  const mongod = await startMongo({ dataBytes: Number(many) * 2_000 });
  const servers = new Servers({ cpus, mongoUri: mongod.uri, apiKey: API_KEY });
  atEnd(() => servers.stopAll());
  const client = await MongoClient.connect(mongod.uri);
  atEnd(() => client.close());
  const db = client.db();
  const server = await servers.startPressroom({ ACCESS_TOKEN_TTL: '12h' });
  await db.collection('api_keys').insertOne({ key: API_KEY, status: true });
  await insertPeople(db);
  const headers = await server.signIn(cycled(AUTHOR_ACCOUNTS, 0));
  const blog = await discussedBlog(server, headers);
  await relayed(db);
  const costs: Cost[][] = [];
  for (const count of [FEW, Number(many)]) {
    await growTo(db, count, blog);
    costs.push(await costsOf(db, readsOf(blog), (path) => request(server, headers, path)));
  }
  process.exitCode = report(readsOf(blog), costs, [FEW, Number(many)]) ? 0 : 1;
});

async function request(
  { url }: Server,
  headers: Headers,
  path: string,
  { method = 'GET', body }: { method?: string; body?: object } = {},
): Promise<{ _id: string }> {
  const sent = body ? { body: JSON.stringify(body) } : {};
  const type = body ? { 'content-type': 'application/json' } : {};
  const response = await fetch(url + path, { method, headers: { ...headers, ...type }, ...sent });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
  return ((await response.json()) as { data: { _id: string } }).data;
}

/** A live blog with a long history, many revisions and many comments. */
async function discussedBlog(server: Server, headers: Headers): Promise<string> {
  const article = { title: 'Discussed', description: 'It is.', draftText: '<p>At length.</p>' };
  const send = (method: string, path: string, body?: object) =>
    request(server, headers, path, { method, ...(body ? { body } : {}) });
  const { _id } = await send('POST', '/blog/author', article);
  for (let number = 0; number < SUBMISSIONS; number += 1) {
    await send('PUT', `/blog/author/id/${_id}`, { title: `Discussed, version ${number}` });
    await send('PUT', `/blog/author/submit/${_id}`);
    await send('PUT', `/blog/editor/publish/id/${_id}`);
  }
  for (let number = 0; number < COMMENTS; number += 1) {
    await send('POST', `/blog/editor/comments/id/${_id}`, { text: `Comment ${number}` });
  }
  return _id;
}

/** Waits until the relay has stored the events: a history reads the others from the blog itself. */
async function relayed(db: mongo.Db): Promise<void> {
  const deadline = performance.now() + RELAY_MS;
  while ((await db.collection('blogs').findOne({ 'events.0': { $exists: true } })) !== null) {
    if (performance.now() > deadline) throw new Error('events are left that nobody stores');
    await wait(250);
  }
}

/** Copies the blog until there are so many; each copy has a comment, an event and a revision. */
async function growTo(db: mongo.Db, count: number, id: string): Promise<void> {
  const blogs = db.collection<StoredBlog>('blogs');
  const original = await blogs.findOne({ _id: new ObjectId(id) });
  if (!original) throw new Error(`no blog ${id}`);
  let number = await blogs.countDocuments();
  while (number < count) {
    const copies = Array.from({ length: Math.min(BATCH, count - number) }, (_, index) => {
      const slug = `copy-${number + index}`;
      const live = { ...original.live, slug };
      return {
        ...original,
        _id: new ObjectId(),
        slug,
        slugs: [slug],
        live,
        events: [],
        revisions: [],
      };
    });
    number += copies.length;
    const event = { by: null, at: new Date(), from: 'draft', to: 'live', move: 'publish' };
    const comment = { by: original.author, at: new Date(), text: 'Another.', resolved: false };
    const content = { title: 'Another', fields: Buffer.alloc(100), htmlVersion: 1, at: new Date() };
    await Promise.all([
      blogs.insertMany(copies, { ordered: false }),
      db
        .collection<{ _id: object }>('blog_events')
        .insertMany(copies.map(({ _id }) => ({ _id: { blog: _id, rev: 1 }, ...event }))),
      db
        .collection('blog_comments')
        .insertMany(copies.map(({ _id }) => ({ blog: _id, rev: 1, ...comment }))),
      db
        .collection('blog_revisions')
        .insertMany(copies.map(({ _id }) => ({ blog: _id, rev: 1, ...content }))),
    ]);
  }
}

function readsOf(id: string): string[] {
  return ['author', 'editor'].flatMap((role) => [
    `/blog/${role}/history/id/${id}?limit=10`,
    `/blog/${role}/history/id/${id}?limit=10&page=3`,
    `/blog/${role}/comments/id/${id}?limit=100`,
    `/blog/${role}/revisions/id/${id}?limit=100`,
    `/blog/${role}/revisions/id/${id}/${SUBMITTED[5]}`,
    `/blog/${role}/diff/id/${id}?from=${SUBMITTED[5]}&to=${SUBMITTED[6]}`,
  ]);
}

/** Sends each request, and asks the profiler of MongoDB what it has caused. */
async function costsOf(
  db: mongo.Db,
  paths: readonly string[],
  send: (path: string) => Promise<unknown>,
): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (const path of paths) {
    await db.command({ profile: 0 });
    await db.dropCollection('system.profile');
    await db.command({ profile: 2 });
    await send(path);
    await db.command({ profile: 0 });
    const namespaces = COLLECTIONS.map((name) => `${db.databaseName}.${name}`);
    const operations = await db
      .collection<Record<'keysExamined' | 'docsExamined' | 'nreturned', number | undefined>>(
        'system.profile',
      )
      .find({ ns: { $in: namespaces }, op: 'query' })
      .toArray();
    const sum = (field: 'keysExamined' | 'docsExamined' | 'nreturned'): number =>
      operations.reduce((total, operation) => total + (operation[field] ?? 0), 0);
    costs.push({
      ...{ queries: operations.length, keys: sum('keysExamined') },
      ...{ records: sum('docsExamined'), returned: sum('nreturned') },
    });
  }
  return costs;
}

/** @returns whether every request stays within its bound */
function report(
  paths: readonly string[],
  costs: readonly (readonly Cost[])[],
  counts: readonly number[],
): boolean {
  const isWithin = ({ keys, records, returned, queries }: Cost): boolean =>
    queries > 0 && Math.max(keys, records) <= EXAMINED_MAX(returned);
  const rows = paths.map((path, at) => [
    path.replace(/[0-9a-f]{24}/, '{id}'),
    ...costs.flatMap((list) => {
      const cost = list[at] as Cost;
      const { queries, keys, records, returned } = cost;
      return [`${queries}`, `${keys}`, `${records}`, `${returned}`, isWithin(cost) ? 'yes' : 'NO'];
    }),
  ]);
  const heads = counts.flatMap((count) => [
    ...[`queries at ${count}`, 'keys', 'records', 'returned', 'within'],
  ]);
  console.log(table([['request', ...heads], ...rows]));
  const all = costs.flat();
  const passed = all.filter(isWithin).length;
  console.log(`\n${passed} passed, ${all.length - passed} failed`);
  return passed === all.length;
}
