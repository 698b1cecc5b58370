/**
 * `npm run bench:cdn` checks that the configuration of examples/cdn does what docs/cdn.md says. It starts a
 * Pressroom and, as in examples/cdn, a Varnish in front of it and the receiver of webhooks. Then it publishes
 * articles and reads them through Varnish. Modules of `cdn/parts/` export the measurements.
 *
 * Pressroom and Varnish have a core of their own; the database, the readers and purge.mjs share the other.
 * The configuration differs from that of examples/cdn only in the port of Pressroom. The last line is
 * `N passed, N failed`; the exit code is 1 when a threshold is missed.
 */
import { buildIfStale } from '../scripts/build-if-stale.mjs';
import { readOptions, USAGE } from './cdn/options.ts';
import { measureHitRate } from './cdn/parts/hit-rate.ts';
import { measureKeys } from './cdn/parts/keys.ts';
import { measureTakenDown } from './cdn/parts/taken-down.ts';
import { measureOutages } from './cdn/parts/outages.ts';
import { setUp } from './cdn/testbed.ts';
import { findVarnish } from './cdn/varnish.ts';
import { circumstances, circumstancesText } from './support/machine/circumstances.ts';
import { chooseCpus, pinProcess } from './support/machine/cpus.ts';
import { report, type Finding } from './support/findings.ts';
import { runProgram } from './support/program.ts';

await runProgram(USAGE, async (args) => {
  const options = readOptions(args);
  const varnish = findVarnish();
  buildIfStale();
  const cpus = chooseCpus();
  // This process also sends reads, which must not take time from the server's core.
  pinProcess(cpus.load, process.pid);
  const testbed = await setUp(options, cpus);
  const { origin, plan } = testbed;
  const mongoVersion = origin.mongod.version;
  const startedAt = performance.now();
  const part = async <Result>(name: string, measure: () => Promise<Result>): Promise<Result> => {
    console.error(`${((performance.now() - startedAt) / 1_000).toFixed(0)} s: ${name} …`);
    return measure();
  };
  const hitRate = await part('hit rate', () => measureHitRate(testbed));
  const [takenDown, keys] = await part('taken down, and keys', () =>
    Promise.all([measureTakenDown(testbed), measureKeys(testbed)]),
  );
  const outages = await part('outages', () => measureOutages(testbed, keys.refusedKeys));
  const findings: Finding[] = [...hitRate, ...takenDown, ...keys.findings, ...outages];
  const purgerLog = testbed.purgerLog();
  if (purgerLog) console.error(`purge.mjs has printed:\n${purgerLog}`);
  const run = { script: 'bench:cdn', cpus, mongoVersion, count: plan.articles };
  const where = circumstancesText(circumstances(run));
  console.log(`${where}\nvarnish: ${varnish}\n`);
  report(findings);
});
