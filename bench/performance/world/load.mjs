import { readArticles } from '../../../scripts/support/articles.ts';
import { shuffled } from '../load/shuffle.mjs';
import { articleMaker } from './articles.mjs';
import { AUTHOR_ACCOUNTS } from './people.mjs';
import { recordMaker } from './records.mjs';

const BATCH = 500;
/** Batches on their way: while the server stores some, the next are made. */
const IN_FLIGHT = 4;
const SAMPLE_MAX = 10_000;
/** From here on it is faster to build the indexes afterwards. */
const INDEXES_LAST_FROM = 50_000;
const LOG_EVERY = 100_000;

/**
 * Loads the articles into an empty collection that has the project's indexes.
 *
 * @returns samples: `articles` (`{id, slug, tags}`) and `tags` (`{key, articles}`), for the marker
 */
export async function loadArticles(db, { articlesFile, textBytes, count, seed, log }) {
  const blogs = db.collection('blogs');
  const base = readArticles(articlesFile);
  const makeArticle = articleMaker({ base, textBytes, seed });
  const maker = recordMaker({ makeArticle, authors: AUTHOR_ACCOUNTS, count, seed });
  const indexes = count >= INDEXES_LAST_FROM ? await dropIndexes(blogs) : [];
  const samples = new Samples(count, seed);
  const startedAt = performance.now();
  const seconds = () => `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
  const waiting = new Set();
  for (let number = 0; number < maker.total;) {
    const records = [];
    while (records.length < BATCH && number < maker.total) {
      const record = maker.make(number);
      if (number < count) samples.add(record, number);
      records.push(record);
      number += 1;
      if (number % LOG_EVERY === 0) log(`${number} articles after ${seconds()}`);
    }
    const insert = blogs.insertMany(records, { ordered: false, writeConcern: { w: 1 } });
    const done = insert.finally(() => waiting.delete(done));
    waiting.add(done);
    if (waiting.size >= IN_FLIGHT) await Promise.race(waiting);
  }
  await Promise.all(waiting);
  if (indexes.length > 0) {
    await db.command({ createIndexes: 'blogs', indexes });
    log(`${indexes.length} indexes after ${seconds()}`);
  }
  // On the disk, or the first measurements would share it with the checkpoint.
  await db.admin().command({ fsync: 1 });
  return samples.take();
}

/** @returns them as the project has made them, to be made again in one go */
async function dropIndexes(blogs) {
  const indexes = (await blogs.indexes()).filter(({ name }) => name !== '_id_');
  await blogs.dropIndexes();
  return indexes;
}

/** What is remembered of the articles: some of them, and how frequent each tag is. */
class Samples {
  #articles = [];
  #tags = new Map();
  #every;
  #seed;

  constructor(count, seed) {
    this.#every = Math.max(1, count / SAMPLE_MAX);
    this.#seed = seed + 2;
  }

  add({ _id, slug, tagKeys }, number) {
    for (const key of tagKeys) this.#tags.set(key, (this.#tags.get(key) ?? 0) + 1);
    if (Math.floor(number / this.#every) === Math.floor((number - 1) / this.#every)) return;
    this.#articles.push({ id: _id.toHexString(), slug, tags: tagKeys });
  }

  take() {
    const tags = Array.from(this.#tags, ([key, articles]) => ({ key, articles }));
    return {
      articles: shuffled(this.#articles, this.#seed),
      tags: tags.toSorted((a, b) => b.articles - a.articles),
    };
  }
}
