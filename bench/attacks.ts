/**
 * `npm run bench:attacks`: what somebody with little or no right can do to the readers. Starts servers
 * of its own, reads one cached article 200 times a second, alone and beside each attack in turn, and
 * prints both, the server's memory, what the attackers got, and the bars.
 *
 *   npm run bench:attacks -- --help
 *
 *   pipelining           200 connections with a key, each 764 requests of a long list in one write,
 *                        and none of them reads
 *   pipelining-allowed   the same with 65 requests, as many as a connection may have under way
 *   stalled-uploads      500 connections without a key that send 900 KiB of 1 MiB, and no more
 *   slow-connections     1,000 connections that send a byte a second, or nothing
 *   bodies-no-key        10 senders of 1 MiB of small JSON members, without a key
 *   bodies-key           10 senders with a key and an account without any right: 16 KiB of members,
 *                        16 KiB of brackets, and 1 MiB where only authors may write
 *   similar, health      50 clients of similar articles that are in no cache, and of /health
 *   hang                 the database stops for 8 seconds, while people read, edit and sign in
 *
 * The server has a core of its own; the database, the reader and the attackers share the other, where
 * the reader goes before all and the attackers behind. The servers' limits are on, but for that of
 * messages: it counts by network, and an attacker has many. The bars of latency are held against the
 * quiet rounds of the same run, and latencies count from when a read was due.
 * Each server is warmed up before, by `wrk` (Debian: `apt-get install wrk`). It needs Linux.
 *
 * The last line is `N passed, N failed`; exit code 1 when a bar is missed. That the server has
 * ended is reported, and the next attack gets a new one.
 */
import { buildIfStale } from '../scripts/build-if-stale.mjs';
import { serverEnded } from './attacks/bars.ts';
import { ARTICLES } from './attacks/content.ts';
import { readOptions, USAGE } from './attacks/options.ts';
import { judge, reportOf } from './attacks/report.ts';
import { runAttack } from './attacks/run-attack.ts';
import { startTarget, type Target } from './attacks/target.ts';
import { circumstances, circumstancesText } from './support/circumstances.ts';
import { chooseCpus, pinProcess } from './support/cpus.ts';
import { runProgram } from './support/program.ts';

await runProgram(USAGE, async (args) => {
  const { isOwn, form, app, entry, attacks } = readOptions(args);
  if (isOwn) buildIfStale();
  const cpus = chooseCpus();
  // It measures memory, and must not do so on the server's core.
  pinProcess(cpus.load, process.pid);
  const results = [];
  let server: Target | null = null;
  let mongoVersion = '';
  for (const attack of attacks) {
    console.error(`${attack.name} …`);
    server ??= await startTarget({ entry, cpus });
    mongoVersion = server.mongod.version;
    const figures = await runAttack(attack, { server, form, cpus });
    const bars = judge([serverEnded, ...attack.bars(form)], figures, form);
    results.push({ name: attack.name, figures, bars });
    // A server that was hurt may still be at work on it.
    if (form === 'short' && bars.every(({ isReached }) => isReached)) continue;
    await server.stop();
    server = null;
  }
  await server?.stop();
  const run = { script: 'bench:attacks', cpus, mongoVersion, count: ARTICLES, folder: app };
  console.log(`${circumstancesText(circumstances(run))}\n\n${reportOf(results)}`);
  const isReached = results.every(({ bars }) => bars.every((bar) => bar.isReached));
  process.exitCode = isReached ? 0 : 1;
});
