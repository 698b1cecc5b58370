import type { mongo } from 'mongoose';
import type { TransitionName } from '../support/built.ts';
import { readArticles } from '../../scripts/support/articles.ts';
import { shuffled } from '../support/statistics.ts';
import { articleMaker } from './articles.ts';
import { MadeWords } from './made-words.ts';
import { recordMaker, stagesOf, type DraftRecord } from './records.ts';

/** Largest number of records in a batch. */
const BATCH = 500;
/** Approximate limit of the texts of a batch in bytes, so that its command does not become too long. */
const BATCH_BYTES = 4e6;
/** Number of concurrent batches: while MongoDB stores some, the next ones are made. */
const IN_FLIGHT = 4;
const SAMPLE_MAX = 10_000;
/** From this number of articles on it is faster to build the indexes after loading. */
const INDEXES_LAST_FROM = 50_000;
const LOG_EVERY = 100_000;

/** A sample of the articles, and the number of articles with each tag, the most frequent tag first. */
export interface Samples {
  readonly articles: readonly { readonly id: string; readonly slug: string }[];
  readonly tags: readonly { readonly tag: string; readonly count: number }[];
}

/** Loads generated articles into the collection `blogs`, which has the server's indexes. */
export async function loadArticles(
  db: mongo.Db,
  options: Record<'textBytes' | 'count' | 'seed', number> & {
    readonly articlesFile: string;
    /** Version of the words for the search. Without it, articles get no words, and no search finds them. */
    readonly search?: number;
    /** Number of the first article, 0 if left out. Articles in the collection must have other numbers. */
    readonly first?: number;
    /** The transitions that the new drafts make; by default they become live. */
    readonly transitions?: readonly TransitionName[];
    /** Changes a record before it is stored. */
    readonly change?: (record: DraftRecord, number: number) => DraftRecord;
  },
): Promise<Samples> {
  const { articlesFile, count, seed, first = 0, change = (record) => record } = options;
  const blogs = db.collection('blogs');
  const words = options.search === undefined ? null : new MadeWords(seed + 3);
  const recipe = { ...options, moreBlocks: words ? () => words.paragraphs(options) : undefined };
  const makeArticle = articleMaker(readArticles(articlesFile), recipe);
  const make = recordMaker(makeArticle, { count: first + count, seed });
  const indexes = count >= INDEXES_LAST_FROM ? await dropIndexes(blogs) : [];
  const batchSize = Math.min(BATCH, Math.ceil(BATCH_BYTES / options.textBytes));
  const samples = samplerOf(count, seed + 2);
  const startedAt = performance.now();
  const seconds = () => `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
  const stages = stagesOf(options.transitions);
  const waiting = new Set<Promise<void>>();
  for (let number = 0; number < count;) {
    const batch: DraftRecord[] = [];
    while (batch.length < batchSize && number < count) {
      const record = change(make(first + number), number);
      samples.add(record, number);
      batch.push(words ? await words.withWords(record) : record);
      number += 1;
      if (number % LOG_EVERY === 0) console.error(`${number} articles after ${seconds()}`);
    }
    const done = insertBatch(db, batch, stages).finally(() => waiting.delete(done));
    waiting.add(done);
    if (waiting.size >= IN_FLIGHT) await Promise.race(waiting);
  }
  await Promise.all(waiting);
  await words?.storeSpellings(db);
  if (indexes.length > 0) {
    await db.command({ createIndexes: 'blogs', indexes });
    console.error(`${indexes.length} indexes after ${seconds()}`);
  }
  // The data are flushed to the disk now; otherwise the checkpoint would use the disk during the first measurements.
  await db.admin().command({ fsync: 1 });
  return samples.take();
}

/** Inserts drafts after transitions. A pipeline in the database turns each draft into what the server would store. */
async function insertBatch(
  db: mongo.Db,
  batch: readonly DraftRecord[],
  stages: readonly object[],
): Promise<void> {
  const pipeline = [
    { $documents: { $literal: batch } },
    ...stages,
    { $merge: { into: 'blogs', whenMatched: 'fail' } },
  ];
  await db.aggregate(pipeline, { writeConcern: { w: 1 } }).toArray();
}

/** Drops the indexes. @returns their descriptions, so that they can be built again together */
async function dropIndexes(blogs: mongo.Collection): Promise<mongo.IndexDescriptionInfo[]> {
  const indexes = (await blogs.indexes()).filter(({ name }) => name !== '_id_');
  await blogs.dropIndexes();
  return indexes;
}

function samplerOf(count: number, seed: number) {
  const every = Math.max(1, count / SAMPLE_MAX);
  const articles: Samples['articles'][number][] = [];
  const counts = new Map<string, number>();
  return {
    add({ _id, slug, tagKeys }: DraftRecord, number: number): void {
      for (const key of tagKeys) counts.set(key, (counts.get(key) ?? 0) + 1);
      if (Math.floor(number / every) === Math.floor((number - 1) / every)) return;
      articles.push({ id: _id.toHexString(), slug });
    },
    take: (): Samples => ({
      articles: shuffled(articles, seed),
      tags: Array.from(counts, ([tag, tagged]) => ({ tag, count: tagged })).toSorted(
        (one, other) => other.count - one.count,
      ),
    }),
  };
}
