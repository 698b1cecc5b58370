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
 * the reader goes before all and the attackers behind. Beside the server runs a baseline that nobody
 * attacks: how long it takes to answer shows what the machine itself delays. The servers' limits are
 * on, but for that of messages: it counts by network, and an attacker has many. The bars of latency are
 * held against the quiet rounds of the same run and against the baseline, and latencies count from when
 * a read was due.
 * Each server is warmed up before, by `wrk` (Debian: `apt-get install wrk`). It needs Linux.
 *
 * The last line is `N passed, N failed`; exit code 1 when a bar is missed. That the server has
 * ended is reported, and the next attack gets a new one. The short form measures each attack for a few
 * seconds only, so it makes an attack that missed a bar once more, on a new server, and the second
 * result counts; not so when the server has ended.
 */
import { buildIfStale } from '../scripts/build-if-stale.mjs';
import type { Attack } from './attacks/attacks.ts';
import { serverEnded } from './attacks/bars.ts';
import { ARTICLES } from './attacks/content.ts';
import { readOptions, USAGE } from './attacks/options.ts';
import { judge, reportOf } from './attacks/report.ts';
import { runAttack } from './attacks/run-attack.ts';
import { startTarget, type Target } from './attacks/target.ts';
import { Servers } from './performance/servers.ts';
import { circumstances, circumstancesText } from './support/circumstances.ts';
import { chooseCpus, pinProcess } from './support/cpus.ts';
import { runProgram } from './support/program.ts';

await runProgram(USAGE, async (args) => {
  const { isOwn, form, app, entry, attacks } = readOptions(args);
  if (isOwn) buildIfStale();
  const cpus = chooseCpus();
  // It measures memory, and must not do so on the server's core.
  pinProcess(cpus.load, process.pid);
  const servers = new Servers({ cpus, mongoUri: '', apiKey: '' });
  const { url: baselineUrl } = await servers.startBaseline('idle');
  let server = null as Target | null;
  let mongoVersion = '';
  const make = async (attack: Attack) => {
    console.error(`${attack.name} …`);
    server ??= await startTarget({ entry, cpus });
    mongoVersion = server.mongod.version;
    const figures = await runAttack(attack, { server, baselineUrl }, { form, cpus });
    const bars = judge([serverEnded, ...attack.bars(form)], figures, form);
    const missed = bars.filter(({ isReached }) => !isReached).map(({ what }) => what);
    // A server that was hurt may still be at work on it.
    if (form === 'full' || missed.length > 0) {
      await server.stop();
      server = null;
    }
    return { name: attack.name, figures, bars, missed };
  };
  const results = [];
  for (const attack of attacks) {
    let result = await make(attack);
    if (form === 'short' && result.missed.length > 0 && result.figures.ended === 0) {
      console.error(`${attack.name} missed: ${result.missed.join(', ')}; once more`);
      result = await make(attack);
    }
    results.push(result);
  }
  await server?.stop();
  await servers.stopAll();
  const run = { script: 'bench:attacks', cpus, mongoVersion, count: ARTICLES, folder: app };
  console.log(`${circumstancesText(circumstances(run))}\n\n${reportOf(results)}`);
  process.exitCode = results.every(({ missed }) => missed.length === 0) ? 0 : 1;
});
