import mongoose, { type mongo } from 'mongoose';
import { SAMPLE_ARTICLES } from '../../scripts/support/articles.ts';
import { loadArticles } from '../data/load-articles.ts';
import { AUTHOR_ACCOUNTS, insertPeople, SEEDED_UNTIL } from '../data/people.ts';
import { TO_LIVE, type DraftRecord } from '../data/records.ts';
import { runSeed } from '../data/seed.ts';
import { built } from '../support/built.ts';
import { cycled } from '../support/statistics.ts';

const { articleWords } = await built('blog/public/search/index/article-words.worker');
const { MongoClient, ObjectId } = mongoose.mongo;

export interface Sizes {
  readonly live: number;
  /** Drafts and submissions together. */
  readonly others: number;
  readonly tags: number;
  readonly users: number;
  readonly sessions: number;
  readonly messages: number;
  /** Number of blogs on which each of the measured jobs works. */
  readonly ofJob: number;
}

const NONE = { others: 0, users: 0, sessions: 0, messages: 0, ofJob: 0 };
export const SMALL: Sizes = { ...NONE, live: 30, tags: 30 };

export function sizesOf(live: number): Sizes {
  const [half, quarter] = [Math.ceil(live / 2), Math.ceil(live / 4)];
  const people = { users: half, sessions: half, messages: quarter };
  return { live, others: half, tags: quarter, ...people, ofJob: Math.ceil(live / 10) };
}

export interface Leaver {
  readonly id: string;
  readonly email: string;
}

/** The accounts that requests and jobs may change or delete. */
export interface Leavers {
  /** Each has a share of the drafts and submissions. */
  readonly some: readonly Leaver[];
  /** Has drafts only. */
  readonly withDrafts: Leaver;
  /** Has live articles only. */
  readonly withArticles: Leaver;
}

/** The tag of every article. */
export const SHARED_TAG = 'everyone';
/** Accounts with an equal share of the drafts and submissions, and all roles. Requests may delete them. */
const LEAVER_COUNT = 250;
const BATCH = 10_000;
const SEED = 1;
const TEXT_BYTES = 1_024;

export async function fill(uri: string, sizes: Sizes): Promise<Leavers> {
  const startedAt = performance.now();
  const client = await MongoClient.connect(uri);
  try {
    const db = client.db();
    await db.dropDatabase();
    runSeed(uri);
    await insertPeople(db);
    const [withDrafts, withArticles, ...some] = await insertLeavers(db);
    if (!withDrafts || !withArticles) throw new Error('there are too few accounts');
    const leavers = { withDrafts, withArticles, some };
    await insertArticles(db, sizes, leavers);
    await insertUsers(db, sizes);
    // The migrations that count run again, which takes longer than a server may take to start.
    await db.collection<{ _id: string }>('migrations').deleteMany({ _id: /tags|counts|lists/ });
    runSeed(uri);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    console.error(`filled ${sizes.live} live articles and what belongs to them in ${seconds} s`);
    return leavers;
  } finally {
    await client.close();
  }
}

async function insertLeavers(db: mongo.Db): Promise<Leaver[]> {
  const users = db.collection('users');
  const [account] = AUTHOR_ACCOUNTS;
  const model = await users.findOne({ email: account?.email });
  const leavers = Array.from({ length: LEAVER_COUNT }, (_, number) => ({
    ...model,
    _id: new ObjectId(),
    email: `leaver-${number}@bench.example`,
    name: `Leaver ${number}`,
  }));
  await users.insertMany(leavers);
  return leavers.map(({ _id, email }) => ({ id: _id.toHexString(), email }));
}

async function insertArticles(
  db: mongo.Db,
  { live, others, tags, ofJob }: Sizes,
  leavers: Leavers,
): Promise<void> {
  const common = { seed: SEED, textBytes: TEXT_BYTES, articlesFile: SAMPLE_ARTICLES };
  const plain = { description: '', tags: [], text: '', language: 'en' } as const;
  const [some, all] = await Promise.all(
    ['Analytical engine', 'Engine'].map((title) => articleWords({ ...plain, title })),
  );
  const by = (hex: string | undefined) => {
    const id = new ObjectId(hex);
    return { author: id, createdBy: id, updatedBy: id };
  };
  const ofLeaver = (record: DraftRecord, number: number) => ({
    ...record,
    ...by(cycled(leavers.some, number).id),
  });
  const drafts = Math.ceil(others / 2);
  const submissions = others - drafts;
  const author = AUTHOR_ACCOUNTS[0]?.id;
  const loads = [
    {
      count: drafts,
      first: live,
      transitions: [],
      change: (record: DraftRecord, number: number) =>
        number < ofJob ? { ...record, ...by(leavers.withDrafts.id) } : ofLeaver(record, number),
    },
    {
      count: submissions,
      first: live + drafts,
      transitions: TO_LIVE.slice(0, 1),
      change: ofLeaver,
    },
    {
      count: live,
      change: (record: DraftRecord, number: number) => ({
        ...record,
        ...by(number < ofJob ? leavers.withArticles.id : author),
        tags: [SHARED_TAG, `tag-${number % tags}`],
        tagKeys: [SHARED_TAG, `tag-${number % tags}`],
        words: (number % 100 === 0 ? some : all)?.words ?? [],
      }),
    },
  ];
  for (const load of loads) if (load.count > 0) await loadArticles(db, { ...common, ...load });
}

/** Inserts accounts, sessions of them, and messages. */
async function insertUsers(db: mongo.Db, { users, sessions, messages }: Sizes): Promise<void> {
  const role = await db.collection('roles').findOne({ code: 'LEARNER' });
  const times = { createdAt: SEEDED_UNTIL, updatedAt: SEEDED_UNTIL };
  const ids = Array.from({ length: users }, () => new ObjectId());
  await insert(db.collection('users'), users, (number) => ({
    _id: ids[number],
    email: `reader-${number}@bench.example`,
    name: `Reader ${number}`,
    password: 'none',
    roles: [role?._id],
    verified: false,
    status: true,
    epoch: 0,
    ...times,
  }));
  const expiresAt = new Date(Date.now() + 30 * 24 * 3_600_000);
  await insert(db.collection('sessions'), sessions, (number) => ({
    user: cycled(ids, number),
    epoch: 0,
    counter: 0,
    createdAt: SEEDED_UNTIL,
    usedAt: SEEDED_UNTIL,
    expiresAt,
  }));
  await insert(db.collection('messages'), messages, (number) => ({
    type: 'feedback',
    msg: `Message ${number}`,
    status: true,
    ...times,
  }));
}

async function insert(
  collection: mongo.Collection,
  count: number,
  make: (number: number) => object,
): Promise<void> {
  for (let at = 0; at < count; at += BATCH) {
    const length = Math.min(BATCH, count - at);
    const records = Array.from({ length }, (_, number) => make(at + number));
    await collection.insertMany(records, { ordered: false, writeConcern: { w: 1 } });
  }
}
