import { setTimeout as wait } from 'node:timers/promises';
import { cycled, quantile, randomOf } from '../../support/statistics.ts';
import { startBed } from '../bed/bed.ts';
import { Client, Ledger, time } from '../bed/client.ts';
import { DISTURBANCES, REPLIES_LOST, SERVER_KILLED } from '../bed/disturbances.ts';
import type { Server } from '../bed/server.ts';
import { chooseSeed, type Fault, type Form, type Row } from '../program.ts';
import { zero } from '../report.ts';
import { growthOf, Heaps, type HeapSample } from './heap.ts';
import { mixedRequests, sendMixed, type Timed } from './mixed-load.ts';

const DURATIONS_MS: Readonly<Record<Form, number>> = {
  ...{ reduced: 60_000, short: 60_000, long: 3_600_000 },
};
/** Before anything is measured: code is compiled, and caches and pools fill. */
const WARM_UP_MS = 15_000;
const HEAP_SAMPLES = 40;
const QUIET_MS = 1_500;
const MAX_GROWTH = 0.1;
const MAX_SLOWDOWN = 2;
/**
 * Errors of the driver while the database is out of reach. Where a connection breaks while a command is sent, the
 * driver throws the system's error as it is; the server answers 503 then as well.
 */
const OUTAGE =
  /"type":"(?:Mongo|PoolCleared)\w*Error"|"type":"Error","code":"(?:ECONNRESET|EPIPE)"/;
const FAULTS = DISTURBANCES.filter((fault) => fault !== SERVER_KILLED && fault !== REPLIES_LOST);

/**
 * Nothing is left behind by faults: mixed load, with random faults of the database in the second and
 * third quarter. `LEAKS_MINUTES=10` sets how long it takes.
 */
export const LEAKS: Fault = {
  name: 'leaks',
  isReduced: false,
  runsBesideOthers: false,
  async run(form) {
    const minutes = Number(process.env['LEAKS_MINUTES'] ?? DURATIONS_MS[form] / 60_000);
    const seed = chooseSeed();
    const heaps = new Heaps();
    const bed = await startBed({ optionsOf: heaps.optionsOf });
    const { servers } = bed;
    const pids = servers.map(({ pid }) => pid);
    const ledger = new Ledger();
    const clients = servers.map(({ url }) => new Client(url, ledger));
    const { call } = servers[0].process;
    const requestAt = await mixedRequests(call);

    let isOver = false;
    const sent = sendMixed(clients, requestAt, () => isOver);
    await wait(WARM_UP_MS);
    const quarterMs = (minutes * 60_000) / 4;
    const startedAt = performance.now();
    const [faultsFrom, faultsUntil] = [startedAt + quarterMs, startedAt + 3 * quarterMs];
    const watched = heaps.watch(servers, (4 * quarterMs) / HEAP_SAMPLES, () => isOver);
    await wait(quarterMs);
    const random = randomOf(seed);
    let faults = 0;
    for (; performance.now() < faultsUntil; await wait(QUIET_MS)) {
      const { name, run } = cycled(FAULTS, Math.floor(random() * FAULTS.length));
      console.error(`${time()} ${name}`);
      await run({ bed, ledger, clients, at: (faults += 1) });
      await bed.heal();
    }
    // A fault may have lasted longer than its quarter.
    const quietFrom = performance.now();
    await wait(quarterMs);
    isOver = true;
    const [timed, samples] = await Promise.all([sent, watched]);
    const what = `${minutes} min, ${timed.length} requests, ${faults} faults`;
    const ended = servers.flatMap(({ pid, isRunning, party }, at) =>
      isRunning && pid === pids[at] ? [] : [`${party} has ended`],
    );
    return [
      ...samples.map((ofOne, at) =>
        heapRow(
          servers[at],
          what,
          ofOne.filter((sample) => sample.at >= faultsFrom),
        ),
      ),
      zero('no server has ended', what, ended, servers.length),
      zero('no error but those of the outages', what, servers.flatMap(errorsOf), timed.length),
      zero('refusals are 503 with Retry-After', what, ledger.complaints, timed.length),
      latencyRow(what, [
        timed.filter(({ due }) => due >= startedAt && due < faultsFrom),
        timed.filter(({ due }) => due >= quietFrom),
      ]),
    ].map((row) => ({ ...row, history: [`seed ${seed}`, ...(row.history ?? [])] }));
  },
};

function heapRow(server: Server | undefined, fault: string, samples: readonly HeapSample[]): Row {
  const { level, growth } = growthOf(samples);
  return {
    ...{ promise: `the heap of ${server?.party} stays`, fault },
    bar: `grows < ${100 * MAX_GROWTH} % in the last three quarters`,
    measured: `${(100 * growth).toFixed(1)} % of ${level.toFixed(1)} MB`,
    isKept: growth < MAX_GROWTH,
    history: [samples.map(({ megabytes }) => megabytes.toFixed(1)).join(' ')],
  };
}

/** @param quarters the first and the last, in which nothing is broken */
function latencyRow(fault: string, quarters: readonly [readonly Timed[], readonly Timed[]]): Row {
  const [first, last] = quarters.map((timed) =>
    quantile(
      timed.map(({ ms }) => ms),
      0.99,
    ),
  ) as [number, number];
  const refused = quarters[1].filter(({ result }) => result !== '200');
  return {
    ...{ promise: 'it is as fast afterwards', fault },
    bar: `p99 ≤ ${MAX_SLOWDOWN} × that before, all answered 200`,
    measured: `${Math.round(last)} ms after ${Math.round(first)} ms, ${refused.length} others`,
    isKept: last <= MAX_SLOWDOWN * first && refused.length === 0,
    history: refused.slice(0, 20).map(({ result, ms }) => `${result} in ${Math.round(ms)} ms`),
  };
}

/** Lines of the log that no outage explains; a rejection that nobody has caught is one in any case. */
function errorsOf({ party, process, readLog }: Server): string[] {
  const errors = process.errorLines().filter((line) => !OUTAGE.test(line));
  const uncaught = readLog()
    .split('\n')
    .filter((line) => /"level":60|unhandled|uncaught/i.test(line));
  return [...new Set([...errors, ...uncaught])].map((line) => `${party}: ${line.slice(0, 500)}`);
}
