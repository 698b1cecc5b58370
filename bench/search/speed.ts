import mongoose, { type mongo } from 'mongoose';
import { buildIfStale } from '../../scripts/build-if-stale.mjs';
import { UserError } from '../../scripts/support/user-error.ts';
import { startMongo } from '../support/servers/mongo.ts';
import { Servers } from '../support/servers/servers.ts';
import { measureSearches } from './measure.ts';
import { barsOf, isReached, reportOf } from './report.ts';
import { circumstances, circumstancesText } from '../support/machine/circumstances.ts';
import { chooseCpus } from '../support/machine/cpus.ts';
import { atEnd, runProgram, valuesOf } from '../support/program.ts';
import { randomOf } from '../support/statistics.ts';

const USAGE = `usage: npm run bench:search -- [options]

How long searches take among many articles, with the cache off: each search is sent once, over one
connection and then over eight. Exits with 1 when a bar is missed.

  --articles N   live articles; default 1000000, which takes about 15 minutes to load
  --text N       about how many bytes a text has; default 1024; with 20000 or more, another bar holds
  --cache-gb N   the cache of MongoDB; default 4
  --data FOLDER  keeps the database there, and finds it there the next time
  --base FILE    real articles, one JSON object a line, of which the articles are made;
                 default: PRESSROOM_ARTICLES, else the sample of the journey
  --searches N   searches over one connection, and twice as many over eight; default 2000`;

const CONNECTIONS = 8;
/** Before the measurement. */
const WARM_UP = 300;
/** Articles whose words and titles are searched for. */
const SAMPLE = 3_000;
const SEED = 7;

const TEXT = { type: 'string' } as const;

await runProgram(USAGE, async (args) => {
  const values = valuesOf(args, USAGE, {
    ...{ articles: { ...TEXT, default: '1000000' }, text: { ...TEXT, default: '1024' } },
    ...{ 'cache-gb': { ...TEXT, default: '4' }, searches: { ...TEXT, default: '2000' } },
    ...{ data: TEXT, base: { ...TEXT, ...defaultOf(process.env.PRESSROOM_ARTICLES) } },
  });
  const [count, textBytes] = [numberOf(values.articles), numberOf(values.text)];
  const [cacheGigabytes, searches] = [numberOf(values['cache-gb']), numberOf(values.searches)];
  buildIfStale();
  // What they import reads the built server.
  const { seed, seedBytes } = await import('../data/seed.ts');
  const { classifiedArticles } = await import('./word-classes.ts');
  const { drawSearches } = await import('./queries.ts');
  const cpus = chooseCpus();
  const { data: folder, base: articlesFile } = values;
  const dataBytes = seedBytes(count, textBytes);
  const mongo = await startMongo({ folder, dataBytes, cacheGigabytes });
  const data = await seed(mongo.uri, {
    count,
    textBytes,
    folder,
    articlesFile,
    isSearchable: true,
  });
  const client = await mongoose.mongo.MongoClient.connect(mongo.uri);
  atEnd(() => client.close());
  const sample = { ids: data.ids.slice(0, SAMPLE), count };
  const classified = await classifiedArticles(client.db(), sample);
  const drawing = {
    ...classified,
    random: randomOf(SEED),
    tags: data.tags.map(({ tag }) => tag),
    authors: data.authors.map(({ id }) => id),
  };
  const drawn = drawSearches(drawing, WARM_UP + 3 * searches);
  // Not before: loading may use all cores.
  if (cpus.load !== null) mongo.pin(cpus.load);
  const servers = new Servers({ cpus, mongoUri: mongo.uri, apiKey: data.apiKey });
  atEnd(() => servers.stopAll());
  const server = await servers.startPressroom({ CACHE_MB: '0' });
  const target = { server, mongo, headers: { 'x-api-key': data.apiKey } };
  await measureSearches(target, drawn.splice(0, WARM_UP), 1);
  const alone = await measureSearches(target, drawn.splice(0, searches), 1);
  const together = await measureSearches(target, drawn, CONNECTIONS);
  const bars = barsOf(alone, together, textBytes);
  const where = circumstances({ script: 'bench:search', mongoVersion: mongo.version, cpus, count });
  const words = Object.entries(classified.classes).map(([name, { length }]) => `${length} ${name}`);
  console.log(
    [
      circumstancesText(where),
      `text: ${textBytes} bytes; cache of MongoDB: ${cacheGigabytes} GB; words: ${words.join(', ')}`,
      await sizesText(client.db()),
      reportOf([alone, together], bars),
    ].join('\n\n'),
  );
  const passed = bars.filter(isReached).length;
  console.log(`\n${passed} passed, ${bars.length - passed} failed`);
  process.exitCode = passed === bars.length ? 0 : 1;
});

/** What the search stores, in MB on the disk. */
async function sizesText(db: mongo.Db): Promise<string> {
  const sizesOf = async (name: string) => {
    const { storageStats } = (await db
      .collection(name)
      .aggregate([{ $collStats: { storageStats: {} } }])
      .next()) as {
      storageStats: Record<'count' | 'size' | 'storageSize' | 'totalIndexSize', number> & {
        indexSizes: Record<string, number>;
      };
    };
    return storageStats;
  };
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
  const [blogs, spellings] = [await sizesOf('blogs'), await sizesOf('search_spellings')];
  const words = Object.entries(blogs.indexSizes).find(([name]) => name.startsWith('live.words_'));
  return [
    `index of words: ${megabytes(words?.[1] ?? NaN)} (${((words?.[1] ?? NaN) / blogs.count).toFixed(0)} bytes an article)`,
    `all indexes of blogs: ${megabytes(blogs.totalIndexSize)}; blogs: ${megabytes(blogs.size)}, ` +
      `${megabytes(blogs.storageSize)} on the disk`,
    `search_spellings: ${spellings.count} words, ` +
      megabytes(spellings.storageSize + spellings.totalIndexSize),
  ].join('\n');
}

function numberOf(text: string): number {
  if (!/^[1-9]\d{0,7}$/.test(text)) throw new UserError(`${text} is no number\n\n${USAGE}`);
  return Number(text);
}

function defaultOf(value: string | undefined): { default?: string } {
  return value === undefined ? {} : { default: value };
}
