import mongoose from 'mongoose';
import { buildIfStale } from '../../scripts/build-if-stale.mjs';
import { UserError } from '../../scripts/support/user-error.ts';
import { startMongo } from '../support/servers/mongo.ts';
import { Servers } from '../support/servers/servers.ts';
import { table } from '../../scripts/support/table.ts';
import { atMost, report, type Finding } from '../support/findings.ts';
import { measureSearches, type Measured } from './measure.ts';
import { circumstances, circumstancesText } from '../support/machine/circumstances.ts';
import { chooseCpus } from '../support/machine/cpus.ts';
import { atEnd, runProgram, valuesOf } from '../support/program.ts';
import { randomOf, type Latencies } from '../support/statistics.ts';

const USAGE = `usage: npm run bench:search -- [options]

How long searches take among many articles, with the cache off: first over one connection, then other
searches over eight; each is sent once. Exits with 1 when a threshold is missed.

  --articles N   live articles; default 1000000, which takes about 15 minutes to load
  --text N       about how many bytes a text has; default 1024; with 20000 or more, another threshold holds
  --cache-gb N   the cache of MongoDB; default 4
  --data FOLDER  keeps the database there, and finds it there the next time
  --base FILE    real articles, one JSON object a line, of which the articles are made;
                 default: PRESSROOM_ARTICLES, else the sample of the journey
  --searches N   searches over one connection, and twice as many over eight; default 2000`;

const CONNECTIONS = 8;
/** Number of searches before the measurement. */
const WARM_UP = 300;
/** Number of articles from which the words and titles of the searches come. */
const SAMPLE = 3_000;
const SEED = 7;

const TEXT = { type: 'string' } as const;
/** From this length of a text in bytes on, the threshold for long articles holds. */
const LONG_TEXT_BYTES = 20_000;
const THRESHOLDS = { oneP50: 15, eightP99: 100, longTextP99: 50 };

await runProgram(USAGE, async (args) => {
  const articles = process.env.PRESSROOM_ARTICLES;
  const values = valuesOf(args, USAGE, {
    articles: { ...TEXT, default: '1000000' },
    text: { ...TEXT, default: '1024' },
    'cache-gb': { ...TEXT, default: '4' },
    searches: { ...TEXT, default: '2000' },
    data: TEXT,
    base: articles === undefined ? TEXT : { ...TEXT, default: articles },
  });
  const [count, textBytes] = [numberOf(values.articles), numberOf(values.text)];
  const [cacheGigabytes, searches] = [numberOf(values['cache-gb']), numberOf(values.searches)];
  buildIfStale();
  // The modules are imported after the build, because their imports read the built server.
  const { seed, seedBytes } = await import('../data/seed.ts');
  const { classifiedArticles } = await import('./word-classes.ts');
  const { drawSearches } = await import('./queries.ts');
  const cpus = chooseCpus();
  const { data: folder, base: articlesFile } = values;
  const dataBytes = seedBytes(count, textBytes);
  const mongo = await startMongo({ folder, dataBytes, cacheGigabytes });
  const options = { count, textBytes, folder, articlesFile, isSearchable: true };
  const data = await seed(mongo.uri, options);
  const client = await mongoose.mongo.MongoClient.connect(mongo.uri);
  atEnd(() => client.close());
  const classified = await classifiedArticles(client.db(), data.ids.slice(0, SAMPLE));
  const drawing = {
    ...classified,
    random: randomOf(SEED),
    tags: data.tags.map(({ tag }) => tag),
    authors: data.authors.map(({ id }) => id),
  };
  const drawn = drawSearches(drawing, WARM_UP + 3 * searches);
  // MongoDB is pinned after the articles are loaded, because loading may use all cores.
  if (cpus.load !== null) mongo.pin(cpus.load);
  const servers = new Servers({ cpus, mongoUri: mongo.uri, apiKey: data.apiKey });
  atEnd(() => servers.stopAll());
  const server = await servers.startPressroom({ CACHE_MB: '0' });
  const target = { server, headers: { 'x-api-key': data.apiKey } };
  await measureSearches(target, drawn.splice(0, WARM_UP), 1);
  const overOne = await measureSearches(target, drawn.splice(0, searches), 1);
  const overEight = await measureSearches(target, drawn, CONNECTIONS);
  const findings = findingsOf(overOne, overEight, textBytes);
  const where = circumstances({ script: 'bench:search', mongoVersion: mongo.version, cpus, count });
  const words = Object.entries(classified.classes).map(([name, { length }]) => `${length} ${name}`);
  const about = `text: ${textBytes} bytes; cache of MongoDB: ${cacheGigabytes} GB`;
  console.log(`${circumstancesText(where)}\n\n${about}; words: ${words.join(', ')}\n`);
  console.log(`${timesTable([overOne, overEight])}\n`);
  report(findings);
});

/** Compares the latencies with the thresholds for articles of this length. */
function findingsOf(overOne: Measured, overEight: Measured, textBytes: number): Finding[] {
  const asYouType = (measured: Measured) => measured.kinds.get('as you type') ?? measured.all;
  const at = `${overEight.connections} connections`;
  const { oneP50, eightP99, longTextP99 } = THRESHOLDS;
  const refused = atMost('refused searches', overOne.refused + overEight.refused, 0);
  if (textBytes >= LONG_TEXT_BYTES) {
    return [
      atMost('one connection, p99', overOne.all.p99, longTextP99, ' ms'),
      atMost(`${at}, p99`, overEight.all.p99, longTextP99, ' ms'),
      refused,
    ];
  }
  return [
    atMost('one connection, p50', overOne.all.p50, oneP50, ' ms'),
    atMost(`${at}, p99`, overEight.all.p99, eightP99, ' ms'),
    atMost('as you type, one connection, p50', asYouType(overOne).p50, oneP50, ' ms'),
    atMost(`as you type, ${at}, p99`, asYouType(overEight).p99, eightP99, ' ms'),
    refused,
  ];
}

function timesTable(measured: readonly Measured[]): string {
  const times = (of?: Latencies) => [of?.p50.toFixed(1) ?? '', of?.p99.toFixed(1) ?? ''];
  const heads = measured.flatMap(({ connections }) => [`${connections} conn.: p50 ms`, 'p99 ms']);
  const kinds = [...new Set(measured.flatMap((each) => [...each.kinds.keys()]))].toSorted();
  const rows = kinds.map((kind) => {
    const ofKind = measured.map((each) => each.kinds.get(kind));
    const searches = ofKind.reduce((sum, each) => sum + (each?.searches ?? 0), 0);
    const found = (ofKind.at(-1)?.found ?? NaN).toFixed(1);
    return [kind, ...ofKind.flatMap(times), String(searches), found];
  });
  const all = ['all searches', ...measured.flatMap((each) => times(each.all))];
  return table([['search', ...heads, 'searches', 'results a page'], ...rows, all]);
}

function numberOf(text: string): number {
  if (!/^[1-9]\d{0,7}$/.test(text)) throw new UserError(`${text} is no number\n\n${USAGE}`);
  return Number(text);
}
