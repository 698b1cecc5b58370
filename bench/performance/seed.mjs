import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import mongoose from 'mongoose';
import { ALL_MIGRATIONS } from '../../dist/migrations.js';
import { loadArticles } from './world/load.mjs';
import {
  ADMIN,
  API_KEY,
  AUTHOR_ACCOUNTS,
  insertPeople,
  PASSWORD,
  READER_ACCOUNTS,
} from './world/people.mjs';
import { SEEDED_UNTIL } from './world/records.mjs';

const { MongoClient, ObjectId } = mongoose.mongo;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** So that the bench runs where nobody has articles at hand. */
export const BUILT_IN_ARTICLES = join(ROOT, 'scripts/support/articles.ndjson');
/** Raise it with any change of what is generated: kept folders are then seeded anew. */
const GENERATOR = 1;
const MARKER = 'pressroom-bench.json';
/** From here on the texts are short, so that a million fits on the disk and into the time. */
const LARGE_COUNT = 100_000;
const TEXT_BYTES = { usual: 4_096, large: 1_024 };
/** What a record holds beside its two texts. */
const RECORD_BYTES = 2_500;

/** About what `seed` loads, before compression; for a look at the disk. */
export function seedBytes({ count, textBytes = textBytesOf(count) }) {
  return count * (2 * textBytes + RECORD_BYTES);
}

/**
 * Fills the database with `count` live articles, some drafts beside them, 50 authors, 1,000 readers
 * and an API key; the same ones for the same options. A kept folder that holds them already is only
 * tidied up.
 *
 * @param uri of the database
 * @param articlesFile real articles as the base, one JSON object a line: `title, description, slug,
 *   tags, html`; without it, a few that come with the project
 * @param folder of a kept database: has a marker that says what is in it
 * @returns the world: what there is to be asked for
 */
export async function seed(uri, options) {
  const { count, articlesFile = BUILT_IN_ARTICLES, folder, log = () => {} } = options;
  const recipe = {
    generator: GENERATOR,
    count,
    textBytes: options.textBytes ?? textBytesOf(count),
    seed: options.seed ?? 1,
    articles: createHash('sha256').update(readFileSync(articlesFile)).digest('hex'),
    // A new one would go through a million articles; to load them anew is faster.
    migrations: ALL_MIGRATIONS.map(({ name }) => name),
  };
  const startedAt = performance.now();
  const client = await MongoClient.connect(uri);
  try {
    const db = client.db();
    const kept = folder === undefined ? null : readMarker(folder, recipe);
    if (kept) {
      await tidyUp(db);
      await runOn(uri, 'bench/performance/world/ensure-indexes.mjs');
    } else {
      if (folder !== undefined) log(`${folder} does not hold these articles: loading them`);
      if (folder !== undefined) rmSync(join(folder, MARKER), { force: true });
      await db.dropDatabase();
    }
    // The project's own migrations and indexes, roles, admin and API key.
    await runOn(uri, 'scripts/seed.mjs');
    await insertPeople(db);
    const samples = kept ?? (await loadArticles(db, { ...recipe, articlesFile, log }));
    if (folder !== undefined && !kept) {
      writeFileSync(join(folder, MARKER), JSON.stringify({ recipe, samples }));
    }
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    log(`${kept ? 'found' : 'loaded'} ${count} live articles in ${seconds} s`);
    return worldOf(recipe, samples);
  } finally {
    await client.close();
  }
}

/**
 * @returns `ids` and `slugs` (same order) and `articles` (`{id, slug, tags}`) of up to 10,000 live
 *   articles in random order, `tags` (`{tag, count}`, the most frequent first), accounts, the key
 */
function worldOf({ count, textBytes }, { articles, tags }) {
  return {
    count,
    textBytes,
    articles,
    ids: articles.map(({ id }) => id),
    slugs: articles.map(({ slug }) => slug),
    tags: tags.map((entry) => ({ tag: entry.key, count: entry.articles })),
    apiKey: API_KEY,
    password: PASSWORD,
    admin: ADMIN,
    authors: AUTHOR_ACCOUNTS.map(accountOf),
    readers: READER_ACCOUNTS.map(accountOf),
  };
}

function accountOf({ _id, email, name, password }) {
  return { _id: _id.toHexString(), email, name, password };
}

function textBytesOf(count) {
  return count >= LARGE_COUNT ? TEXT_BYTES.large : TEXT_BYTES.usual;
}

/** @returns the samples of a folder that was seeded by this very recipe; else null */
function readMarker(folder, recipe) {
  try {
    const marker = JSON.parse(readFileSync(join(folder, MARKER), 'utf8'));
    return JSON.stringify(marker.recipe) === JSON.stringify(recipe) ? marker.samples : null;
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Removes what measurements have left; they change no article but those that they have made. */
async function tidyUp(db) {
  const since = ObjectId.createFromTime(SEEDED_UNTIL.getTime() / 1_000);
  await db.collection('blogs').deleteMany({ _id: { $gte: since } });
  for (const name of ['api_keys', 'sessions', 'messages', 'rate_limits']) {
    await db.collection(name).deleteMany({});
  }
}

/** Runs a program of the project on the database; @throws Error when it fails */
async function runOn(uri, program) {
  const folder = mkdtempSync(join(tmpdir(), 'pressroom-bench-seed-'));
  const child = spawn(process.execPath, [join(ROOT, program)], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'test',
      MONGODB_URI: uri,
      DATA_DIR: folder,
      API_KEY,
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  rmSync(folder, { recursive: true, force: true });
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
}
