import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import mongoose, { type mongo } from 'mongoose';
import { SAMPLE_ARTICLES } from '../../scripts/support/articles.ts';
import { built } from '../support/built.ts';
import { codeOf, ownFolder } from '../support/program.ts';
import { loadArticles, type Samples } from './load-articles.ts';
import * as people from './people.ts';

const { MongoClient, ObjectId } = mongoose.mongo;
const COMMAND_LINE = fileURLToPath(new URL('../../bin/pressroom.mjs', import.meta.url));
/** Version of the generated data. Increment it with every change of the data: kept folders are then seeded again. */
const GENERATOR = 3;
/** Version of the words for the search. */
const SEARCH_GENERATOR = 1;
const MARKER = 'pressroom-bench.json';
/** From this number of articles on texts are short, so that a million articles need less disk space and time. */
const LARGE_COUNT = 100_000;
const TEXT_BYTES = { usual: 4_096, short: 1_024 };
/** Approximate number of bytes of a record without the texts of working copy and live version. */
const RECORD_BYTES = 2_500;
/** The collections that only measurements fill. */
const ADDED = [
  'blog_events',
  'api_keys',
  'sessions',
  'messages',
  'rate_limits',
  'media',
  'media_files',
  'pictures.files',
  'pictures.chunks',
];

export interface SeedOptions {
  readonly count: number;
  /** File with the real articles from which others are made; by default the sample of the repository. */
  readonly articlesFile?: string | undefined;
  /** The folder of a database that is kept. A file in it, the marker, says which records it contains. */
  readonly folder?: string | undefined;
  /** Approximate length of a text in bytes; it depends on the count by default. */
  readonly textBytes?: number;
  /** Whether a search finds the articles. Their texts then also have artificial words. */
  readonly isSearchable?: boolean;
}

/** The articles, tags and accounts that requests can name. */
export type DataSet = ReturnType<typeof dataSetOf>;

interface Marker {
  readonly recipe: object;
  readonly samples: Samples;
}

/** @returns the approximate number of bytes that `seed` loads, before compression, to check the free disk space */
export function seedBytes(count: number, textBytes = textBytesOf(count)): number {
  return count * (2 * textBytes + RECORD_BYTES);
}

/**
 * Fills the database with `count` live articles, 50 authors and an API key. The same options make the same records.
 * If the folder holds these records already, only what measurements have added is removed.
 */
export async function seed(uri: string, options: SeedOptions): Promise<DataSet> {
  const { count, articlesFile = SAMPLE_ARTICLES, folder, textBytes, isSearchable } = options;
  const { migrationsOf } = await built('migrations');
  const recipe = {
    generator: GENERATOR,
    count,
    textBytes: textBytes ?? textBytesOf(count),
    seed: 1,
    ...(isSearchable ? { search: SEARCH_GENERATOR } : {}),
    articles: createHash('sha256').update(readFileSync(articlesFile)).digest('hex'),
    // With a new migration the recipe differs, so the articles are loaded again: that is faster than migrating a
    // million articles.
    migrations: migrationsOf({ SEARCH_LANGUAGE: 'en' }).map(({ name }) => name),
  };
  const startedAt = performance.now();
  const client = await MongoClient.connect(uri);
  try {
    const db = client.db();
    const keptSamples = folder === undefined ? null : readMarker(folder, recipe);
    if (keptSamples) {
      await tidyUp(db);
    } else {
      if (folder !== undefined) {
        console.error(`${folder} does not hold these articles: loading them`);
        rmSync(join(folder, MARKER), { force: true });
      }
      await db.dropDatabase();
    }
    runSeed(uri);
    await people.insertPeople(db);
    const samples = keptSamples ?? (await loadArticles(db, { ...recipe, articlesFile }));
    await countLists(db, uri);
    if (folder !== undefined && !keptSamples) {
      writeFileSync(join(folder, MARKER), JSON.stringify({ recipe, samples } satisfies Marker));
    }
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    console.error(`${keptSamples ? 'found' : 'loaded'} ${count} live articles in ${seconds} s`);
    return dataSetOf(count, samples);
  } finally {
    await client.close();
  }
}

/** @returns up to 10,000 live articles in random order (`ids` and `slugs` belong together), tags and accounts */
function dataSetOf(count: number, { articles, tags }: Samples) {
  return {
    count,
    tags,
    apiKey: people.API_KEY,
    ids: articles.map(({ id }) => id),
    slugs: articles.map(({ slug }) => slug),
    authors: people.AUTHOR_ACCOUNTS,
  };
}

function textBytesOf(count: number): number {
  return count >= LARGE_COUNT ? TEXT_BYTES.short : TEXT_BYTES.usual;
}

/** @returns the samples of the folder if it was seeded by the same recipe; else null */
function readMarker(folder: string, recipe: object): Samples | null {
  try {
    const marker = JSON.parse(readFileSync(join(folder, MARKER), 'utf8')) as Marker;
    return JSON.stringify(marker.recipe) === JSON.stringify(recipe) ? marker.samples : null;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Removes the records that measurements have added. No measurement changes a seeded article. */
async function tidyUp(db: mongo.Db): Promise<void> {
  const since = ObjectId.createFromTime(people.SEEDED_UNTIL.getTime() / 1_000);
  await db.collection('blogs').deleteMany({ _id: { $gte: since } });
  for (const name of ADDED) await db.collection(name).deleteMany({});
}

/** Counts the articles of all lists, by the migration that counts those of an earlier version. */
async function countLists(db: mongo.Db, uri: string): Promise<void> {
  await db.collection<{ _id: string }>('migrations').deleteOne({ _id: /-lists$/ });
  runSeed(uri);
}

/**
 * Runs `pressroom seed`, which inserts roles, admin and API key, and runs missing migrations.
 * @throws Error when it fails
 */
export function runSeed(uri: string): void {
  const { folder, remove } = ownFolder();
  execFileSync(process.execPath, [COMMAND_LINE, 'seed'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'test',
      MONGODB_URI: uri,
      DATA_DIR: folder,
      API_KEY: people.API_KEY,
      ADMIN_EMAIL: people.ADMIN.email,
      ADMIN_PASSWORD: people.ADMIN.password,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  remove();
}
