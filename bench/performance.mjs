/**
 * `npm run bench`: how fast Pressroom is, as ratios inside one run (docs/performance.md).
 *
 *   npm run bench -- --articles FILE --count 10000 --only warm,lists --rounds 5 --seconds 5
 *   npm run bench -- --count 1000000 --data FOLDER     (bars 4, 5, 10, 11)
 *   npm run bench -- --short                           (two minutes; fails below reference.json)
 *
 * It starts a MongoDB of its own on the loopback interface, fills it, starts the built Pressroom
 * and the baseline programs on the same Node, and measures them in interleaved rounds: server on
 * core 0, MongoDB and load on core 1. A case is a module of `performance/cases/`:
 *
 *   export const name = 'warm';
 *   export const bars = [1];
 *   export const needs = { count: 10_000 };    // articles, at least; else the case is "not run"
 *   export async function run(bench) { … return rows; }
 *
 * `bench` is
 *   options    { articles, count, rounds, seconds, short, … }: what was asked for
 *   mongo      { uri, pid, … } of mongo.mjs
 *   world      of seed.mjs: what there is, and samples of it
 *   folder     for files; removed at the end
 *   cpus       { server: '0', load: '1' }, each null where nothing is pinned
 *   startPressroom(env = {}, { cpu = cpus.server, entry, nodeOptions, readyPath } = {})
 *   startBaseline(name, env = {}, { cpu } = {})
 *              → { url, port, pid, cpuSeconds(), rssBytes(), call(method, path, { token, body }),
 *                  signIn(person) → access token, readLog(), stop(), kill() }
 *              stopped by the frame as well when the case ends, fails or is interrupted
 *   closedLoop({ server, path | paths, headers = {}, connections = 64, seconds, answers })
 *              → a measure; GET by wrk, as fast as the server allows
 *   openLoop({ server | url, requests: [{ method, path, headers, body, answer }], rate, seconds,
 *              connections = 64, statuses = [200] }) → a measure; at a fixed rate from a process of
 *              its own, each latency counted from when the request was due, so that stalls count
 *   atFixedRate({ servers: { ours, baseline }, … }) → { ours, baseline }: latencies by openLoop
 *   rounds({ ours, baseline, count = options.rounds, warmUp = true })
 *              two functions of { seconds } that measure once, called in turn → { ours, baseline:
 *              medians of the measures, ratio: of the medians of the rates, spread: [least, most]
 *              of the rounds, measures }
 *   attempt(bar, row, measure) the row that `measure` returns, or one that says why it broke off
 *   wants(row) false for a row that this run leaves out (short form, a second try)
 *   log(text)  to the standard error
 *
 * A measure is { rate, perCpuSecond, cpuMicros (per request), busy (share of a core that the server
 * had), p50, p99, p999 (milliseconds), requests, errors }; errors other than 0 throw, as does an
 * answer that is not the expected one.
 *
 * A row is { bar: 1, case: 'article by slug', ours: measure, baseline: measure | null, ratio,
 * spread: [least, most], value (what the limit is held against; the ratio if left out),
 * limit: { kind: 'ratio-min' | 'ratio-max' | 'max' | 'min' | 'none', value, unit }, reached,
 * note }; `rowOf` of report.mjs fills in `value` and `reached`. `limit: none` is for what is
 * reported beside the bars.
 */
import { writeFileSync } from 'node:fs';
import { buildIfStale } from '../scripts/build-if-stale.mjs';
import { Bench } from './performance/bench.mjs';
import { chooseCpus } from './performance/cpus.mjs';
import { readOptions, USAGE } from './performance/options.mjs';
import { writePlots } from './performance/plot.mjs';
import { profileReads } from './performance/profile.mjs';
import { casesOf } from './performance/registry.mjs';
import { circumstances, circumstancesText, tableOf } from './performance/report.mjs';
import { runProgram } from './performance/run-program.mjs';
import { compareWithReference, writeReference } from './performance/short.mjs';

const log = (text) => console.error(text);

await runProgram((args) => main(readOptions(args)));

async function main(options) {
  if (options.help) {
    console.log(USAGE);
    return;
  }
  buildIfStale();
  // Both read the built sources.
  const { startMongo } = await import('./performance/mongo.mjs');
  const { seed, seedBytes } = await import('./performance/seed.mjs');
  const { articles: articlesFile, count, data: folder } = options;
  const cases = options.profile ? [] : await casesOf(options.only);
  const cpus = chooseCpus();
  const cacheGigabytes = count >= 100_000 ? 4 : 1;
  const mongo = await startMongo({ folder, dataBytes: seedBytes({ count }), cacheGigabytes, log });
  const world = await seed(mongo.uri, { count, articlesFile, folder, log });
  // Not before: loading may use all cores.
  if (cpus.load !== null) mongo.pin(cpus.load);
  const bench = new Bench({ options, mongo, world, cpus, log });
  const command = ['npm run bench --', ...process.argv.slice(2)].join(' ');
  const where = circumstances({ mongoVersion: mongo.version, cpus, command, count });
  if (options.profile) return profileReads(bench, options.only);
  if (options.short) return runShort(bench, cases, where);
  const rows = [];
  for (const one of cases) rows.push(...(await bench.run(one)));
  console.log(`${circumstancesText(where)}\n\n${tableOf(rows)}`);
  if (options.json) writeFileSync(options.json, `${JSON.stringify({ ...where, rows }, null, 2)}\n`);
  if (options.plot) writePlots(options.plot, rows);
  process.exitCode = rows.some(({ reached }) => reached === false) ? 1 : 0;
}

async function runShort(bench, cases, where) {
  const names = cases.map(({ name }) => name);
  const measure = (name, rows) => bench.run(cases[names.indexOf(name)], rows);
  if (bench.options['write-reference']) {
    console.log(await writeReference(measure, where));
    return;
  }
  const results = await compareWithReference(measure, { names, log: (line) => console.log(line) });
  process.exitCode = results.every(({ holds }) => holds) ? 0 : 1;
}
