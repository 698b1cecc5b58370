import { statSync } from 'node:fs';
import mongoose from 'mongoose';
import { buildIfStale } from '../../scripts/build-if-stale.mjs';
import { table } from '../../scripts/support/table.ts';
import { articlesOf, FORMATS } from './sources.ts';
import { runImport } from './run.ts';
import { startMongo } from '../performance/mongo.ts';
import { atEnd, ownFolder, runProgram, valuesOf } from '../support/program.ts';

const USAGE = `usage: npm run bench:import -- [--articles N]

How long it takes to move in from each program, and how much memory the process has at most. The sources are
generated: articles of 800 words with four tags. Exits with 1 when an import of 10,000 articles takes longer
than 180 s or more than 300 MB.

  --articles N  default 10000`;

const { MongoClient } = mongoose.mongo;
const SECONDS_MAX_PER_ARTICLE = 180 / 10_000;
const BYTES_MAX = 300_000_000;

await runProgram(USAGE, async (args) => {
  const { articles } = valuesOf(args, USAGE, { articles: { type: 'string', default: '10000' } });
  const count = Number(articles);
  buildIfStale();
  const { folder } = ownFolder();
  const mongod = await startMongo({});
  const client = await MongoClient.connect(mongod.uri);
  atEnd(() => client.close());
  const rows = [['format', 'source', 'seconds', 'articles/s', 'peak memory', 'within']];
  for (const [format, writeSource] of Object.entries(FORMATS)) {
    const path = await writeSource(folder, articlesOf(count));
    const { seconds, peakBytes, report } = await runImport(mongod.uriOf(format), format, path);
    const stored = await client.db(format).collection('blogs').countDocuments({ published: true });
    if (report.published !== count || stored !== count) {
      throw new Error(`${format}: ${report.published} imported, ${stored} stored of ${count}`);
    }
    const isWithin = seconds <= SECONDS_MAX_PER_ARTICLE * count && peakBytes <= BYTES_MAX;
    if (!isWithin) process.exitCode = 1;
    const { size } = statSync(path);
    rows.push([
      ...[format, format === 'markdown' ? `${count} files` : `${megabytes(size)} MB`],
      ...[seconds.toFixed(1), (count / seconds).toFixed(0), `${megabytes(peakBytes)} MB`],
      isWithin ? 'yes' : 'NO',
    ]);
  }
  console.log(table(rows));
});

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}
