import { readdirSync } from 'node:fs';
import { chooseCpus } from '../../support/machine/cpus.ts';
import { cpuSecondsOf, RAISED_PRIORITY, tryRenice } from '../../support/machine/processes.ts';
import { Pressroom } from '../../support/servers/pressroom.ts';
import type { Fault, Form } from '../program.ts';
import { measureLoad, type LoadJob, type LoadReport } from './load.ts';
import { KINDS, prepareRequests, type Kind, type Sent } from './requests.ts';
import { findingsOf } from './findings.ts';
import { cachedPath, Watch } from './watch.ts';
import { answerRate, describe, goodput, merge, type Costs } from './goodput.ts';

/** Seconds of the warm-up. V8 goes on compiling under load for more than a minute, and goodput rises by a third. */
const WARM_UP_SECONDS: Readonly<Record<Form, number>> = { reduced: 5, short: 10, long: 40 };
/** Number of concurrent requests in the warm-up: so many that V8 compiles the code for refusals as well. */
const WARM_UP_REQUESTS = 256;
/** Numbers of concurrent requests among which the one with the highest goodput is chosen for the peak. */
const CONCURRENCIES = [16, 32, 64, 128];
/** Seconds of each measurement of costs, and of each concurrency. */
const TRIAL_SECONDS: Readonly<Record<Form, number>> = { reduced: 2, short: 3, long: 8 };
/**
 * Number of times that peak and overload are measured, in alternation, with another peak at the end: the speed of
 * the machine changes within seconds, and V8 goes on compiling.
 */
const TURNS: Readonly<Record<Form, number>> = { reduced: 1, short: 3, long: 2 };
const PEAK_SECONDS: Readonly<Record<Form, number>> = { reduced: 4, short: 4, long: 20 };
const OVERLOAD_SECONDS: Readonly<Record<Form, number>> = { reduced: 10, short: 5, long: 60 };
const OVERLOAD_FACTOR = 5;
/** Normal load, as a share of the answers a second at the peak. */
const NORMAL_SHARE = 0.4;
/** Seconds of normal load after the overload. */
const AFTERWARDS_SECONDS = 8;
/** Number of warm-up requests for each measurement of costs; it is small, because sign-ins take long. */
const COST_WARM_UP = 20;

type Load<Given extends keyof LoadJob = never> = (
  job: Omit<LoadJob, 'url' | Given>,
) => Promise<LoadReport>;

/** Sends five times as many requests as the server can answer: its goodput must stay near that of the peak. */
export const OVERLOAD: Fault = {
  name: 'overload',
  isInReducedForm: false,
  async run(form) {
    const cpus = chooseCpus();
    // The server has a core of its own; the load and the database share the other one.
    const server = await Pressroom.start({ cpus });
    const { url, pid } = server;
    for (const id of [pid, server.mongod.pid]) raisePriority(id);
    const requests = await prepareRequests(server.call);
    const load: Load = (job) => measureLoad({ url, ...job }, cpus);

    await load({ requests, seconds: WARM_UP_SECONDS[form], atATime: WARM_UP_REQUESTS });
    const seconds = TRIAL_SECONDS[form];
    const costs = await measureCosts(pid, requests, (job) => load({ ...job, seconds }));
    const atATime = await bestConcurrency(costs, (job) => load({ ...job, requests, seconds }));
    const measurePeak = () => load({ requests, seconds: PEAK_SECONDS[form], atATime });

    const watch = new Watch(server, await cachedPath(url, requests));
    const peaks: LoadReport[] = [];
    const overloads: LoadReport[] = [];
    for (let turn = 1; turn <= TURNS[form]; turn += 1) {
      peaks.push(await measurePeak());
      const rate = OVERLOAD_FACTOR * answerRate(peaks);
      const overload = load({ requests, rate, seconds: OVERLOAD_SECONDS[form] });
      overloads.push(await watch.during(overload));
    }
    const endedAt = performance.now();
    const rate = NORMAL_SHARE * answerRate(peaks);
    const after = await load({ requests, rate, seconds: AFTERWARDS_SECONDS });
    // While the process of the next load starts, nothing is measured.
    const unseenSeconds = (performance.now() - endedAt) / 1_000 - AFTERWARDS_SECONDS;
    peaks.push(await measurePeak());
    for (const report of [...peaks, ...overloads]) console.error(describe(report, costs));
    return findingsOf({
      atATime,
      times: OVERLOAD_FACTOR,
      turns: TURNS[form],
      unseenSeconds,
      rates: { peak: answerRate(peaks), overload: answerRate(overloads) },
      goodputs: { peak: goodput(peaks, costs), overload: goodput(overloads, costs) },
      reports: { peak: merge(peaks), overload: merge(overloads), after },
      ...watch.result(),
    });
  },
};

/** @returns the processor seconds of the server for one request of each kind */
async function measureCosts(
  pid: number,
  requests: readonly Sent[],
  load: Load<'seconds'>,
): Promise<Costs> {
  const costs = {} as Record<Kind, number>;
  for (const kind of KINDS) {
    const ofKind = requests.filter((sent) => sent.kind === kind);
    const cpuBefore = cpuSecondsOf(pid);
    const report = await load({ requests: ofKind, atATime: 16, warmUp: COST_WARM_UP });
    const answers = report.statuses.filter((status) => status === 200).length;
    // The costs include the warm-up of the client, which the server answered as well.
    costs[kind] = (cpuSecondsOf(pid) - cpuBefore) / (answers + COST_WARM_UP);
    console.error(`${kind}: ${Math.round(costs[kind] * 1e6)} us of the processor each`);
  }
  return costs;
}

/** @returns the number of concurrent requests with which goodput is highest */
async function bestConcurrency(costs: Costs, load: Load<'requests' | 'seconds'>): Promise<number> {
  let best = { atATime: 0, work: 0 };
  for (const atATime of CONCURRENCIES) {
    const report = await load({ atATime });
    console.error(`${atATime} at a time: ${describe(report, costs)}`);
    const work = goodput([report], costs);
    if (work > best.work) best = { atATime, work };
  }
  if (best.atATime === 0) throw new Error('nothing was measured');
  return best.atATime;
}

/** Raises the priority of a process, so that other programs of the machine do not slow it down. */
function raisePriority(pid: number): void {
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    // The change is relative, so the threads for bcrypt keep a lower priority than the event loop.
    tryRenice(Number(thread), RAISED_PRIORITY);
  }
}
