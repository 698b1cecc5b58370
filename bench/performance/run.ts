import { writeFileSync } from 'node:fs';
import { circumstances, circumstancesText } from '../support/machine/circumstances.ts';
import { chooseCpus } from '../support/machine/cpus.ts';
import { Bench } from './bench.ts';
import { casesOf, CASES_WITH_BASELINE, SHORT_FORM } from './cases/all.ts';
import { seed, seedBytes } from '../data/seed.ts';
import { startMongo } from '../support/servers/mongo.ts';
import type { Options } from './options.ts';
import { tableOf, type Row } from './report.ts';
import { compareWithReference, writeReference } from './short.ts';

const LARGE_COUNT = 100_000;

/** Starts and fills a MongoDB, and runs the measurements that the options ask for. */
export async function runBench(options: Options): Promise<void> {
  const { articles: articlesFile, baseline, count, data: folder, only, short } = options;
  const cases = baseline === null ? casesOf(only) : casesOf(only, CASES_WITH_BASELINE);
  const cpus = chooseCpus();
  const cacheGigabytes = count >= LARGE_COUNT ? 4 : 1;
  const mongo = await startMongo({ folder, dataBytes: seedBytes(count), cacheGigabytes });
  const data = await seed(mongo.uri, { count, articlesFile, folder });
  // MongoDB is pinned after the articles are loaded, because loading may use all cores.
  if (cpus.load !== null) mongo.pin(cpus.load);
  const bench = new Bench({ options, mongo, data, cpus });
  const { version: mongoVersion } = mongo;
  const where = circumstances({ script: 'bench', mongoVersion, cpus, count });
  if (options['write-reference']) return writeReference(bench, where);
  if (short && baseline === null) {
    process.exitCode = (await compareWithReference(bench)) ? 0 : 1;
    return;
  }
  const rows: Row[] = [];
  const shortRows = new Map(short ? SHORT_FORM : []);
  for (const one of cases) rows.push(...(await bench.run(one, shortRows.get(one))));
  console.log(`${circumstancesText(where)}\n\n${tableOf(rows)}`);
  if (options.json) writeFileSync(options.json, `${JSON.stringify({ ...where, rows }, null, 2)}\n`);
  process.exitCode = rows.some(({ reached }) => reached === false) ? 1 : 0;
}
