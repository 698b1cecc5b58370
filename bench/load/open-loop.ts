import { messageOf } from '../../scripts/support/user-error.ts';
import { atRate } from '../support/timing.ts';
import type { Cpus } from '../support/machine/cpus.ts';
import { RAISED_PRIORITY } from '../support/machine/processes.ts';
import { cycled, quantile } from '../support/statistics.ts';
import { measureClient, type LoadReport, type Run } from './client-process.ts';
import { Connections, type Request } from './connections.ts';
import type { Measure, MeasuredServer } from './measure.ts';
import { addProblem, type Problems } from './problems.ts';

/**
 * Seconds of the warm-up, in which the client compiles its code and opens its connections. Meanwhile it sends
 * requests tens of milliseconds late, which is no latency of the server.
 */
const WARM_UP_SECONDS = 2;

/**
 * The client with its priority. It shares a core with the database and other clients. A wait for that core would
 * count as latency of the server, so the client has a higher priority than the others.
 */
export const OPEN_LOOP = { module: import.meta.url, priority: RAISED_PRIORITY };

/** A request. `answer` is the expected body; without it every body is right. */
export type CheckedRequest = Request & { readonly answer?: string };

export interface OpenJob {
  readonly url: string;
  readonly requests: readonly CheckedRequest[];
  /** Number of requests a second. */
  readonly rate: number;
  /** Length of the run in seconds. With Infinity the run lasts until `endRun` is called. */
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly connections: number;
  /** The statuses that count as right. */
  readonly statuses: readonly number[];
  readonly deadlineMs?: number;
}

/** A request of an open loop, answered or not. */
export interface Sample {
  /** When the request was due, in milliseconds since 1970, so that samples of several processes can be compared. */
  readonly due: number;
  /** Milliseconds from `due` to the answer. */
  readonly ms: number;
  readonly where: string;
  /** `right`, or a description of the error. */
  readonly result: string;
}

/** The report of an open loop. Each latency counts from when the request was due. */
export interface OpenReport extends LoadReport {
  readonly samples: readonly Sample[];
  /** Milliseconds by which each request was sent late. */
  readonly late: readonly number[];
  /** Number of answers that a CDN had stored, as its `X-Cache` says. */
  readonly hits: number;
}

export interface OpenLoad extends Pick<OpenJob, 'requests' | 'rate' | 'seconds'> {
  readonly server: MeasuredServer;
  readonly statuses?: readonly number[];
}

/**
 * Sends requests at a fixed rate, even while earlier ones are not answered, from a process of its own. A latency
 * begins when the request was due, so a stall of the server counts for every request that was due meanwhile.
 *
 * It checks each status, and each body where the request has an `answer`.
 * @returns a measure with `late99`, the p99 of the milliseconds by which requests were sent late
 * @throws Error for any wrong answer
 */
export async function openLoop(
  { server, ...load }: OpenLoad,
  cpus: Cpus,
): Promise<Measure & { late99: number }> {
  const job = { statuses: [200], warmUpSeconds: WARM_UP_SECONDS, connections: 64, ...load };
  const { measure, report } = await measureClient<OpenJob, OpenReport>(
    OPEN_LOOP,
    { server, job },
    cpus,
  );
  return { ...measure, late99: quantile(report.late, 0.99) };
}

/** Called by load/child.ts, which imports this module by its URL. @public */
export async function client(job: OpenJob): Promise<Run<OpenReport>> {
  const connections = new Connections(job.url, job.connections, job.deadlineMs);
  const never = new Promise<void>(() => {});
  await sendAll(job, connections, { seconds: job.warmUpSeconds, over: never });
  return ({ seconds = job.seconds }, over) => sendAll(job, connections, { seconds, over });
}

async function sendAll(
  { url, rate, requests, statuses }: OpenJob,
  connections: Connections,
  { seconds, over }: { seconds: number; over: Promise<void> },
): Promise<OpenReport> {
  const problems: Problems = { count: 0, sample: '' };
  const latencies: number[] = [];
  const late: number[] = [];
  const samples: Sample[] = [];
  let hits = 0;
  let isOver = false;
  void over.then(() => (isOver = true));
  const sendOne = async (request: CheckedRequest, due: number) => {
    let result = 'right';
    try {
      const { status, headers, body } = await connections.send(request);
      latencies.push(performance.now() - due);
      if (headers['x-cache'] === 'hit') hits += 1;
      const isRight = statuses.includes(status) && (request.answer ?? body) === body;
      if (!isRight) result = `${status} ${body.slice(0, 200)}`;
    } catch (error) {
      result = messageOf(error);
    }
    const where = `${url}${request.path}`;
    if (result !== 'right') addProblem(problems, `${where}: ${result}`);
    samples.push({ due: performance.timeOrigin + due, ms: performance.now() - due, where, result });
  };
  await atRate(
    rate,
    (index) => index >= rate * seconds || isOver,
    (index, due) => {
      late.push(performance.now() - due);
      return sendOne(cycled(requests, index), due);
    },
  );
  return { latencies, late, samples, hits, seconds, problems };
}
