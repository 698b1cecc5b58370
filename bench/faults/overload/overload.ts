import { readdirSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { CREDENTIALS, startOwnServer, type Mongod } from '../../../scripts/support/own-server.ts';
import { Connections } from '../../load/connections.ts';
import { chooseCpus, pinProcess } from '../../support/cpus.ts';
import {
  cpuSecondsOf,
  LOAD_PRIORITY,
  residentBytesOf,
  tryRenice,
} from '../../support/processes.ts';
import { atEnd } from '../../support/program.ts';
import { quantile } from '../../support/statistics.ts';
import type { Fault, Form } from '../program.ts';
import { measureLoad, type LoadJob, type LoadReport } from './load.ts';
import { shareBesideRefusals } from './refusals-alone.ts';
import { KINDS, prepareRequests, type Kind, type Sent } from './requests.ts';
import { rowsOf, type Answers, type Figures } from './rows.ts';

const OVERLOAD_SECONDS: Readonly<Record<Form, number>> = { reduced: 10, short: 12, long: 60 };
/** How many are sent at a time when the capacity is looked for. */
const CONCURRENCIES = [16, 32, 64, 128];
const CAPACITY_SECONDS: Readonly<Record<Form, number>> = { reduced: 2, short: 3, long: 8 };
const PEAK_SECONDS: Readonly<Record<Form, number>> = { reduced: 4, short: 5, long: 20 };
const TIMES = 5;
/** Of the capacity, for what is normal, and for how long it is watched after the overload. */
const NORMAL_SHARE = 0.4;
const AFTERWARDS_SECONDS = 8;
const PROBE_MS = 50;
/** Answers of the first second count as neither peak nor overload. */
const BEGIN_MS = 1_000;
/** As many sign-ins take seconds. */
const COST_WARM_UP = 20;
const MEGABYTE = 1_024 ** 2;

/** Five times as many requests as the server can answer: it does nearly as much as it can. */
export const OVERLOAD: Fault = {
  name: 'overload',
  isReduced: false,
  runsBesideOthers: false,
  async run(form) {
    const cpus = chooseCpus();
    const server = await startOwnServer();
    atEnd(() => server.stop());
    const { url, pid } = server;
    // The load and the database share the other core.
    pinProcess(cpus.server, pid);
    const { pid: mongodPid } = server.mongod() as Mongod;
    pinProcess(cpus.load, mongodPid);
    for (const id of [pid, mongodPid]) goBeforeOthers(id);
    const requests = await prepareRequests(server.call);
    const load = (job: Omit<LoadJob, 'url'>) => measureLoad({ url, ...job }, cpus);
    const seconds = CAPACITY_SECONDS[form];

    // So that V8 has compiled what is measured.
    await load({ requests, seconds: 3, atATime: 32 });
    const costs = {} as Record<Kind, number>;
    for (const kind of KINDS) {
      const ofKind = requests.filter((sent) => sent.kind === kind);
      const cpuBefore = cpuSecondsOf(pid);
      const report = await load({ requests: ofKind, seconds, atATime: 16, warmUp: COST_WARM_UP });
      const answers = report.statuses.filter((status) => status === 200).length;
      // The server also did the warm-up of the client.
      costs[kind] = (cpuSecondsOf(pid) - cpuBefore) / (answers + COST_WARM_UP);
    }
    const levels = [];
    for (const atATime of CONCURRENCIES) {
      levels.push({ atATime, report: await load({ requests, seconds, atATime }) });
    }
    const workOf = (report: LoadReport) => usefulWork(report, costs);
    const best = levels.toSorted((one, other) => workOf(other.report) - workOf(one.report))[0];
    if (!best) throw new Error('nothing was measured');
    // The best of some measurements is so by chance as well, and the speed of a machine changes: the
    // peak is measured anew, before the overload and after it.
    const measurePeak = () =>
      load({ requests, seconds: PEAK_SECONDS[form], atATime: best.atATime });
    const before = await measurePeak();
    const capacity = answersOf(before).length / secondsOf(before);
    console.error(
      ...[`cost of a request in us:`, Object.values(costs).map((cost) => Math.round(cost * 1e6))],
      levels.map(({ atATime, report }) => `${atATime}: ${describe(report, costs)}`),
    );
    const watch = new Watch(url, pid, await cachedPath(url, requests));
    const overload = await load({
      ...{ requests, rate: capacity * TIMES, seconds: OVERLOAD_SECONDS[form] },
    });
    const watched = await watch.end();
    const endedAt = performance.now();
    const after = await load({
      ...{ requests, rate: capacity * NORMAL_SHARE, seconds: AFTERWARDS_SECONDS },
    });
    // What the next client takes to start is time in which nobody looked.
    const unseenSeconds = (performance.now() - endedAt) / 1_000 - AFTERWARDS_SECONDS;
    const again = await measurePeak();
    for (const report of [before, overload, again]) console.error(describe(report, costs));
    await server.stop();
    const refused = overload.statuses.filter((status) => status === 503).length;
    const alone = await shareBesideRefusals(refused / overload.seconds, requests, cpus);
    const figures: Figures = {
      ...{ capacity, times: TIMES, unseenSeconds, ...watched },
      work: { peak: (workOf(before) + workOf(again)) / 2, overload: workOf(overload), alone },
      reports: { peak: together(before, again), overload, after },
    };
    return rowsOf(figures);
  },
};

/** What other programs of the machine do must not count as overload. The load has the same priority. */
function goBeforeOthers(pid: number): void {
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    // bcrypt's threads stay behind the event loop.
    tryRenice(Number(thread), LOAD_PRIORITY);
  }
}

/**
 * Latencies of what was answered once the load had begun, until it ended: the first answers come after as long as
 * they take, and the last ones come later. A load of a minute would hide that, and a short one would not.
 */
function answersOf(
  { statuses, latencies, dues, kinds, seconds }: LoadReport,
  kind?: Kind,
): number[] {
  return latencies.filter((latency, at) => {
    const answeredMs = (dues[at] ?? 0) + latency;
    return (
      statuses[at] === 200 &&
      (kind === undefined || kinds[at] === kind) &&
      answeredMs >= BEGIN_MS &&
      answeredMs <= seconds * 1_000
    );
  });
}

/** In which `answersOf` looks. */
function secondsOf({ seconds }: LoadReport): number {
  return seconds - BEGIN_MS / 1_000;
}

function together(one: LoadReport, other: LoadReport): Answers {
  return {
    kinds: [...one.kinds, ...other.kinds],
    statuses: [...one.statuses, ...other.statuses],
    latencies: [...one.latencies, ...other.latencies],
    problems: [...one.problems, ...other.problems],
    seconds: one.seconds + other.seconds,
  };
}

/** Processor seconds of the server that its answers are worth, a second. */
function usefulWork(report: LoadReport, costs: Readonly<Record<Kind, number>>): number {
  const work = KINDS.map((kind) => answersOf(report, kind).length * costs[kind]);
  return work.reduce((sum, each) => sum + each, 0) / secondsOf(report);
}

function describe(report: LoadReport, costs: Readonly<Record<Kind, number>>): string {
  const { statuses, clientBusy } = report;
  const seconds = secondsOf(report);
  const accepted = answersOf(report);
  const perKind = KINDS.map(
    (kind) => `${kind} ${Math.round(answersOf(report, kind).length / seconds)}`,
  );
  return [
    `${Math.round(accepted.length / seconds)}/s of ${Math.round(statuses.length / report.seconds)}/s`,
    `work ${usefulWork(report, costs).toFixed(3)}, p99 ${Math.round(quantile(accepted, 0.99))} ms`,
    `client ${clientBusy.toFixed(2)}, ${perKind.join(', ')}`,
  ].join(', ');
}

/** The path of an article that is in the response cache from now on. */
async function cachedPath(url: string, requests: readonly Sent[]): Promise<string> {
  const [path] = requests.flatMap(({ text }) => /\/blog\/slug\/[^? ]+/.exec(text) ?? []);
  if (path === undefined) throw new Error('there is no article');
  await fetch(`${url}${path}`, { headers: { 'x-api-key': CREDENTIALS.apiKey } });
  return path;
}

/** Asks for the health and for a cached article, and measures the memory, until the end. */
class Watch {
  readonly #health: number[] = [];
  readonly #cached: number[] = [];
  readonly #problems: string[] = [];
  readonly #running: Promise<void>;
  #most = 0;
  #isOver = false;

  constructor(url: string, pid: number, path: string) {
    const connections = new Connections(url, 64, 10_000);
    const ask = async (asked: string, latencies: number[]): Promise<void> => {
      const sentAt = performance.now();
      const headers = { 'x-api-key': CREDENTIALS.apiKey };
      const answer = await connections.send({ path: asked, headers }).catch(() => null);
      if (answer?.status === 200) latencies.push(performance.now() - sentAt);
      else this.#problems.push(`${asked}: ${answer?.status ?? 'no answer'} ${answer?.body ?? ''}`);
    };
    this.#running = (async () => {
      for (let at = 0; !this.#isOver; at += 1) {
        this.#most = Math.max(this.#most, residentBytesOf(pid) / MEGABYTE);
        await Promise.all([
          ask(at % 2 === 0 ? '/health' : '/health/ready', this.#health),
          ask(path, this.#cached),
        ]);
        await wait(PROBE_MS);
      }
      connections.close();
    })();
  }

  async end() {
    this.#isOver = true;
    await this.#running;
    return {
      ...{ health: this.#health, cached: this.#cached },
      ...{ probeProblems: this.#problems, megabytes: this.#most },
    };
  }
}
