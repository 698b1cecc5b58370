/**
 * Do 1,000 slow connections hurt the readers? Starts a Pressroom of its own, reads one article at a
 * fixed rate, alone and beside slow connections in turn, and prints both with what was asked for.
 *
 *   npm run build && npm run bench:slow-loris
 */
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { buildIfStale } from '../scripts/build-if-stale.mjs';
import { CREDENTIALS, startOwnServer } from '../scripts/support/own-server.ts';
import { publishArticle } from './slow-loris/article.mjs';
import { Attack } from './slow-loris/attack.mjs';
import { Readers, percentile } from './slow-loris/readers.mjs';
import { countConnections, residentMegabytes } from './slow-loris/process.mjs';
import { KINDS, SLOW_ADDRESS } from './slow-loris/slow-sockets.mjs';
import { table } from '../scripts/support/table.ts';

const ROUNDS = 3;
const SLOW_SOCKETS = 1_000;
const READS_PER_SECOND = 200;
const QUIET_MS = 10_000;
/** All of them are there: the first are cut after ten seconds. */
const CROWDED_MS = 10_000;
const BARS = { p99Ratio: 2, cutSeconds: 20, megabytes: 100 };
const PATIENCE_SECONDS = 40;

buildIfStale();
// Cache, docs and log as an operator would have them; nothing is measured while it starts.
const server = await startOwnServer({ env: { LOG_LEVEL: 'info', DOCS: 'off' } });
const result = { quiet: [], crowded: [], refused: 0, cut: [], let: [], memory: [] };
try {
  const path = await publishArticle(server);
  const readers = new Readers(`${server.url}${path}`, CREDENTIALS.apiKey, READS_PER_SECOND);
  // Or the first minutes of a growing heap would count as memory of the slow ones.
  await readers.read(15_000);
  for (let round = 1; round <= ROUNDS; round += 1) {
    console.error(`round ${round} of ${ROUNDS}`);
    await measureRound(readers);
  }
  readers.close();
} finally {
  await server.stop();
}
console.log(report(result));
process.exitCode = rowsOf(result).every(({ isReached }) => isReached) ? 0 : 1;

async function measureRound(readers) {
  const quiet = await readers.read(QUIET_MS);
  const before = residentMegabytes(server.pid);
  const attack = await Attack.start(server.url, SLOW_SOCKETS);
  const memory = { before, during: before, after: 0 };
  const attackedAt = performance.now();
  const crowded = await readers.read(CROWDED_MS);
  // Not earlier: to count connections takes this process, which measures, long enough to show.
  const watch = watchServer(memory, attackedAt);
  // They stay for the answers: the last are cut while the readers go on.
  const [{ cut }, letGoSeconds] = await Promise.all([
    attack.untilCut(PATIENCE_SECONDS),
    watch,
    readers.read(PATIENCE_SECONDS * 250),
  ]);
  await attack.stop();
  await wait(2_000);
  memory.after = residentMegabytes(server.pid);
  result.quiet.push(...quiet.latencies);
  result.crowded.push(...crowded.latencies);
  result.refused += quiet.failed + crowded.failed;
  result.cut.push(...cut);
  result.let.push(letGoSeconds);
  result.memory.push(memory);
}

/** @returns after how many seconds the server holds none of the slow connections */
async function watchServer(memory, attackedAt) {
  const seconds = () => (performance.now() - attackedAt) / 1_000;
  for (let isFull = false; seconds() < PATIENCE_SECONDS; await wait(200)) {
    memory.during = Math.max(memory.during, residentMegabytes(server.pid));
    const held = countConnections(SLOW_ADDRESS, Number(new URL(server.url).port));
    isFull ||= held > SLOW_SOCKETS / 4;
    if (isFull && held === 0) return seconds();
  }
  return Infinity;
}

function rowsOf({ quiet, crowded, refused, cut, let: letGo, memory }) {
  const ratio = percentile(crowded, 0.99) / percentile(quiet, 0.99);
  const lastCut = Math.max(...cut.map(({ seconds }) => seconds));
  const growth = Math.max(...memory.map(({ before, during }) => during - before));
  const bar = (what, value, limit, unit) => ({
    what,
    value: `${value.toFixed(1)}${unit}`,
    limit: `${limit}${unit}`,
    isReached: value <= limit,
  });
  return [
    bar("readers' p99, beside the slow ones to alone", ratio, BARS.p99Ratio, ' x'),
    bar('reads that failed', refused, 0, ''),
    bar(`last of ${cut.length} slow connections cut after`, lastCut, BARS.cutSeconds, ' s'),
    bar('server holds none of their sockets after', Math.max(...letGo), BARS.cutSeconds, ' s'),
    bar('memory beside the slow ones, more than before', growth, BARS.megabytes, ' MB'),
  ];
}

function report(measured) {
  const { quiet, crowded, cut, memory } = measured;
  const reads = (name, latencies) => [
    name,
    String(latencies.length),
    ...[0.5, 0.99, 1].map((share) => percentile(latencies, share).toFixed(2)),
  ];
  const kinds = Object.keys(KINDS).map((kind) => {
    const seconds = cut.filter((socket) => socket.kind === kind).map((socket) => socket.seconds);
    const shares = [0, 0.5, 1].map((share) => percentile(seconds, share).toFixed(1));
    return [kind, String(seconds.length), ...shares];
  });
  const sizes = memory.map(({ before, during, after }, index) =>
    [`round ${index + 1}`, before, during, after].map((cell) => String(cell)),
  );
  return [
    `${SLOW_SOCKETS} slow connections, ${READS_PER_SECOND} reads a second, ${ROUNDS} rounds`,
    // Where others keep the cores busy, the times are theirs.
    `${availableParallelism()} cores, load average ${loadavg()[0].toFixed(1)}`,
    table([
      ['reads', 'count', 'p50 ms', 'p99 ms', 'max ms'],
      reads('alone', quiet),
      reads('beside', crowded),
    ]),
    table([['slow by', 'count', 'first cut s', 'p50 s', 'last cut s'], ...kinds]),
    table([['memory, MB', 'before', 'most', 'after'], ...sizes]),
    table([
      ['bar', 'measured', 'at most', 'reached'],
      ...rowsOf(measured).map((row) => [
        row.what,
        row.value,
        row.limit,
        row.isReached ? 'yes' : 'NO',
      ]),
    ]),
  ].join('\n\n');
}
