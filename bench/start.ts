import { buildIfStale } from '../scripts/build-if-stale.mjs';
import { startOwnServer } from '../scripts/support/own-server.ts';
import { startReplicaSet } from '../scripts/support/replica-set.mjs';
import { table } from '../scripts/support/table.ts';
import { entryOf, ROOT } from './support/built.ts';
import { atEnd, runProgram, valuesOf } from './support/program.ts';
import { median, range } from './support/statistics.ts';

const USAGE = `npm run bench:start -- [--against DIR] [--starts N]

How long does a start take until the server prints its URL, on an embedded and on an external database that an earlier
start has filled? With --against it starts the built server of another checkout in turn.

  --against DIR  another checkout, built
  --starts N     starts of each server on each database (5)`;

await runProgram(USAGE, async (args) => {
  const { against, starts } = valuesOf(args, USAGE, {
    against: { type: 'string' },
    starts: { type: 'string', default: '5' },
  });
  buildIfStale();
  const checkouts = against === undefined ? [ROOT] : [against, ROOT];
  const { mongo } = await startReplicaSet();
  atEnd(() => mongo.stop().then(() => undefined));
  const rows = [['Database', 'Checkout', 'Median', 'Range']];
  for (const database of ['embedded', 'external']) {
    const servers = checkouts.map((checkout, at) => {
      const uri = mongo.getUri(`start${at}`);
      const env: Record<string, string> = database === 'external' ? { MONGODB_URI: uri } : {};
      return { checkout, entry: entryOf(checkout), env, times: [] as number[] };
    });
    const folders = new Map<string, string>();
    // The first start of each fills the database, and is not counted.
    for (let start = 0; start <= Number(starts); start += 1) {
      for (const { checkout, entry, env, times } of servers) {
        const former = folders.get(checkout);
        const startedAt = performance.now();
        const server = await startOwnServer({ entry, env, ...(former && { folder: former }) });
        if (start > 0) times.push(performance.now() - startedAt);
        folders.set(checkout, server.folder);
        await server.stop({ isFolderKept: start < Number(starts) });
      }
    }
    for (const { checkout, times } of servers) {
      const [least, most] = range(times).map((ms) => Math.round(ms));
      rows.push([database, checkout, `${Math.round(median(times))} ms`, `${least}-${most}`]);
    }
  }
  console.log(table(rows));
});
