import { writeFileSync } from 'node:fs';
import { circumstances, circumstancesText } from '../support/circumstances.ts';
import { chooseCpus } from '../support/cpus.ts';
import { Bench } from './bench.ts';
import { casesOf } from './cases/all.ts';
import { seed, seedBytes } from './data/seed.ts';
import { profileReads } from './inspect/cpu-profile.ts';
import { startMongo } from './mongo.ts';
import type { Options } from './options.ts';
import { tableOf, type Row } from './report.ts';
import { compareWithReference, writeReference } from './short.ts';

const LARGE_COUNT = 100_000;

/** Starts and fills a MongoDB, and measures against it what the options ask for. */
export async function runBench(options: Options): Promise<void> {
  const { articles: articlesFile, count, data: folder } = options;
  const cases = options.profile ? [] : casesOf(options.only);
  const cpus = chooseCpus();
  const cacheGigabytes = count >= LARGE_COUNT ? 4 : 1;
  const mongo = await startMongo({ folder, dataBytes: seedBytes(count), cacheGigabytes });
  const data = await seed(mongo.uri, { count, articlesFile, folder });
  // Not before: loading may use all cores.
  if (cpus.load !== null) mongo.pin(cpus.load);
  const bench = new Bench({ options, mongo, data, cpus });
  const { version: mongoVersion } = mongo;
  const where = circumstances({ script: 'bench', mongoVersion, cpus, count });
  if (options.profile) return profileReads(bench, options.only);
  if (options['write-reference']) return writeReference(bench, where);
  if (options.short) {
    process.exitCode = (await compareWithReference(bench)) ? 0 : 1;
    return;
  }
  const rows: Row[] = [];
  for (const one of cases) rows.push(...(await bench.run(one)));
  console.log(`${circumstancesText(where)}\n\n${tableOf(rows)}`);
  if (options.json) writeFileSync(options.json, `${JSON.stringify({ ...where, rows }, null, 2)}\n`);
  process.exitCode = rows.some(({ reached }) => reached === false) ? 1 : 0;
}
