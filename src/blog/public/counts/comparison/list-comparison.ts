import { Types, type ClientSession, type mongo } from 'mongoose';
import { batchesOf } from '../../../../platform/batches.js';
import { isReplicaSet } from '../../../../platform/database/database.service.js';
import { isDuplicateKey } from '../../../../platform/database/is-duplicate-key.js';
import { withHint, type IndexKeys } from '../../../../platform/database/query-hints.js';
import {
  AUTHOR_INDEX,
  PUBLIC_CHANGES_INDEX,
  LATEST_INDEX,
  TAG_INDEX,
} from '../../../core/blog.indexes.js';
import { IS_LIVE, IS_PUBLIC, type Blog } from '../../../core/blog.schema.js';
import { IS_FOLDING, type Folding } from '../folding.schema.js';
import {
  HAS_PUBLIC_CHANGES,
  PendingChanges,
  WITHOUT_SPELLINGS,
  type ChangedBlog,
} from '../public-change.js';
import { ALL_BLOGS, authorList, tagList, tagOf } from '../list-names.js';
import type { ListRecord } from '../list-record.schema.js';

/** Number of lists that are compared at one moment. */
export const BATCH = 20;

/** A list whose count is wrong. */
interface WrongCount {
  readonly list: string;
  /** What has to be added to the count. */
  readonly difference: number;
  readonly corrections: number | undefined;
}

/**
 * Compares the counts of lists with their blogs, as of one moment. It reads one index key for each blog. Transitions
 * and foldings that happen meanwhile change both sides alike, so the differences stay right.
 */
export async function wrongCounts(db: mongo.Db, lists: readonly string[]): Promise<WrongCount[]> {
  return atOneMoment(db, async (options) => {
    const records = await db
      .collection<ListRecord>('lists')
      .find({ _id: { $in: [...lists] } }, options)
      .toArray();
    const folding = await db.collection<Folding>('foldings').findOne(IS_FOLDING, options);
    const blogs = db.collection<Blog>('blogs');
    const changed = await withHint(PUBLIC_CHANGES_INDEX, (hint) =>
      blogs
        .find(HAS_PUBLIC_CHANGES as mongo.Filter<Blog>, { ...options, ...hint })
        .project<ChangedBlog>(WITHOUT_SPELLINGS)
        .toArray(),
    );
    const pending = new PendingChanges(changed, folding);
    const wrong: WrongCount[] = [];
    for (const list of lists) {
      const { filter, index } = blogsOf(list);
      const walked = await withHint(index, (hint) =>
        blogs.countDocuments(filter, { ...options, ...hint }),
      );
      const record = records.find(({ _id }) => _id === list);
      const kept = (record?.count ?? 0) + pending.missingIn(list, record).count;
      const difference = walked - kept;
      if (difference !== 0) wrong.push({ list, difference, corrections: record?.corrections });
    }
    return wrong;
  });
}

/** Corrects counts. A count that another process has corrected meanwhile stays as it is. */
export async function correct(
  db: mongo.Db,
  wrong: readonly WrongCount[],
  session?: ClientSession,
): Promise<void> {
  for (const { list, difference, corrections } of wrong) {
    const filter = { _id: list, corrections: corrections ?? { $exists: false } };
    const tag = tagOf(list);
    const update = {
      $inc: { count: difference, corrections: 1 },
      ...(difference < 0 ? { $max: { changedAt: new Date() } } : {}),
      ...(tag === null ? {} : { $set: { tag } }),
    };
    try {
      const options = { upsert: true, ...(session ? { session } : {}) };
      await db.collection<ListRecord>('lists').updateOne(filter, update, options);
    } catch (error) {
      if (!isDuplicateKey(error, '_id')) throw error;
    }
  }
}

/** The names of all lists that have a record or a live blog, in batches. */
export async function* allLists(db: mongo.Db): AsyncGenerator<readonly string[]> {
  yield [ALL_BLOGS];
  const lists = db.collection<ListRecord>('lists');
  const records = lists.find({ _id: { $ne: ALL_BLOGS } }, { projection: { _id: 1 } });
  yield* batchesOf(
    records.map(({ _id }) => _id),
    BATCH,
  );
  for (const names of [authorLists(db), tagLists(db)]) {
    for await (const batch of batchesOf(names, BATCH)) {
      const known = await lists.distinct('_id', { _id: { $in: [...batch] } });
      const missing = batch.filter((name) => !known.includes(name));
      if (missing.length > 0) yield missing;
    }
  }
}

async function* authorLists(db: mongo.Db): AsyncGenerator<string> {
  for (let author = new Types.ObjectId('0'.repeat(24)); ;) {
    const next = await firstBlog(db, { ...IS_LIVE, author: { $gt: author } }, AUTHOR_INDEX);
    if (!next) return;
    ({ author } = next);
    yield authorList(author);
  }
}

async function* tagLists(db: mongo.Db): AsyncGenerator<string> {
  for (let key = ''; ;) {
    const next = await firstBlog(db, { ...IS_PUBLIC, 'live.tagKeys': { $gt: key } }, TAG_INDEX);
    if (!next?.live) return;
    const after = key;
    [key = ''] = next.live.tagKeys
      .filter((each) => compareKeys(each, after) > 0)
      .toSorted(compareKeys);
    yield tagList(key);
  }
}

/** Compares texts as MongoDB does. */
export function compareKeys(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/**
 * The first blog in the order of the index. Its first key in the range is the value after the last one that was found.
 * A sort would compare the first of all tags of a blog, also of those before the range.
 */
async function firstBlog(
  db: mongo.Db,
  filter: mongo.Filter<Blog>,
  hint: IndexKeys,
): Promise<Blog | null> {
  const projection = { author: 1, 'live.tagKeys': 1 };
  return db.collection<Blog>('blogs').findOne(filter, { projection, hint });
}

function blogsOf(list: string): { readonly filter: object; readonly index: IndexKeys } {
  if (list === ALL_BLOGS) return { filter: IS_LIVE, index: LATEST_INDEX };
  const tag = tagOf(list);
  if (tag !== null) return { filter: { 'live.tagKeys': tag, ...IS_PUBLIC }, index: TAG_INDEX };
  const id = list.slice(list.indexOf(':') + 1);
  const author = id === '' ? null : new Types.ObjectId(id);
  return { filter: { author, ...IS_LIVE }, index: AUTHOR_INDEX };
}

/** Lets all reads see the database as it is at the first one. On a standalone each read sees its own moment. */
async function atOneMoment<Result>(
  db: mongo.Db,
  work: (options: { readonly session?: ClientSession }) => Promise<Result>,
): Promise<Result> {
  if (!(await isReplicaSet(db))) return work({});
  const session = db.client.startSession({ snapshot: true });
  try {
    return await work({ session });
  } finally {
    await session.endSession();
  }
}
