/**
 * `npm run bench:attacks` measures how much clients with few rights or none can slow down the readers. It starts its
 * own servers, reads one cached article 200 times a second without and then during each attack, and prints the
 * latencies of both, the server's memory, the answers that the attackers got, and the thresholds.
 *
 * The server has a core of its own. The database, the reader and the attackers share the other one, where the reader
 * has the highest priority and the attackers the lowest. On the server's core a baseline server runs that nobody
 * attacks: its latency shows the delays of the machine itself. The rate limits are on, except that of messages: it
 * counts by client prefix, and a real attacker has many of these. The thresholds of latency are relative to the
 * quiet rounds of the same run and to the baseline. A latency begins when the read was due. Each server is warmed up
 * first, by `wrk` (Debian: `apt-get install wrk`). The program needs Linux.
 *
 * The last line is `N passed, N failed`; the exit code is 1 when a threshold is missed. If an attack ends the
 * server, this is reported, and the next attack gets a new server. The short form measures each attack for a few
 * seconds only. So it repeats an attack that missed a threshold, on a new server, and the second result counts; an
 * attack that ended the server is not repeated.
 */
import { buildIfStale } from '../scripts/build-if-stale.mjs';
import { UserError } from '../scripts/support/user-error.ts';
import type { Attack, Target } from './attacks/attack.ts';
import { ARTICLE_COUNT } from './attacks/content.ts';
import { figuresTable } from './attacks/figures.ts';
import * as held from './attacks/kinds/held.ts';
import * as requests from './attacks/kinds/requests.ts';
import { runAttack } from './attacks/run-attack.ts';
import { startTarget } from './attacks/target.ts';
import { serverEnded, type Form } from './attacks/thresholds.ts';
import { entryOf, ROOT } from './support/built.ts';
import { report } from './support/findings.ts';
import { circumstances, circumstancesText } from './support/machine/circumstances.ts';
import { chooseCpus, pinProcess } from './support/machine/cpus.ts';
import { runProgram, valuesOf } from './support/program.ts';
import { Servers } from './support/servers/servers.ts';

/** The attacks in the order of their run. The short form uses one server for all, so attacks on memory come first. */
const ATTACKS: readonly Attack[] = [...held.ATTACKS, ...requests.ATTACKS];

const USAGE = `npm run bench:attacks -- [options]
  --app DIR    runs the built server of another checkout (default: this one)
  --only a,b   these attacks only: ${ATTACKS.map(({ name }) => name).join(', ')}
  --short      two minutes, on one server; fails at three times a threshold, missed twice in a row`;

await runProgram(USAGE, async (args) => {
  const { form, app, attacks } = readOptions(args);
  if (app === ROOT) buildIfStale();
  const entry = entryOf(app);
  const cpus = chooseCpus();
  // This process measures memory, which must not take time from the server's core.
  pinProcess(cpus.load, process.pid);
  const servers = new Servers({ cpus, mongoUri: '', apiKey: '' });
  const { url: baselineUrl } = await servers.startBaseline('idle');
  let target = null as Target | null;
  let mongoVersion = '';
  const measure = async (attack: Attack) => {
    const { name } = attack;
    console.error(`${name} …`);
    target ??= await startTarget({ entry, cpus });
    mongoVersion = target.server.mongod.version;
    const figures = await runAttack(attack, { target, baselineUrl }, { form, cpus });
    const findings = [serverEnded, ...attack.thresholds(form)].map((threshold) => ({
      ...threshold(figures, form),
      group: name,
    }));
    const missed = findings.filter(({ isMet }) => !isMet).map(({ what }) => what);
    // A server may still work on the requests of an attack that is over.
    if (form === 'full' || missed.length > 0) {
      await target.server.remove();
      target = null;
    }
    return { name, figures, findings, missed };
  };
  const results = [];
  for (const attack of attacks) {
    let result = await measure(attack);
    if (form === 'short' && result.missed.length > 0 && result.figures.ended === 0) {
      console.error(`${attack.name} missed: ${result.missed.join(', ')}; once more`);
      result = await measure(attack);
    }
    results.push(result);
  }
  await servers.stopAll();
  const run = { script: 'bench:attacks', cpus, mongoVersion, count: ARTICLE_COUNT, folder: app };
  const findings = results.flatMap((result) => result.findings);
  console.log(`${circumstancesText(circumstances(run))}\n\n${figuresTable(results)}\n`);
  report(findings);
});

/** @throws UserError for options that make no sense */
function readOptions(args: string[]) {
  const values = valuesOf(args, USAGE, {
    app: { type: 'string' },
    only: { type: 'string' },
    short: { type: 'boolean', default: false },
  });
  const form: Form = values.short ? 'short' : 'full';
  const names = values.only?.split(',') ?? ATTACKS.map(({ name }) => name);
  const unknown = names.filter((name) => !ATTACKS.some((attack) => attack.name === name));
  if (unknown.length > 0) throw new UserError(`no such attack: ${unknown.join(', ')}\n\n${USAGE}`);
  const attacks = ATTACKS.filter(({ name }) => names.includes(name));
  return { form, app: values.app ?? ROOT, attacks };
}
