/** Sends requests of several kinds from a process of its own (bench/load/client-process.ts). */
import { setTimeout as wait } from 'node:timers/promises';
import { startClient, type Run } from '../../load/client-process.ts';
import { RAISED_PRIORITY } from '../../support/machine/processes.ts';
import { cycled } from '../../support/statistics.ts';
import type { Cpus } from '../../support/machine/cpus.ts';
import { RawPool } from './raw-pool.ts';
import { NUMBER_PLACEHOLDER, type Kind, type Sent } from './requests.ts';

/** Number of connections of an open loop by default: requests on more connections would only wait in the kernel. */
const CONNECTIONS = 1_500;
const WARM_UP = 200;
const REFUSAL = /\r\nretry-after: \d+\r\n[\s\S]*"code":"10002".*"reason":"overloaded"/i;

export interface LoadJob {
  readonly url: string;
  /** The requests, which are sent one after another and then from the beginning again. */
  readonly requests: readonly Sent[];
  readonly seconds: number;
  /** Requests a second of an open loop. Without it the loop is closed: it always has `atATime` requests pending. */
  readonly rate?: number;
  readonly atATime?: number;
  /** Number of connections of an open loop. The server ends those that send nothing for ten seconds. */
  readonly connections?: number;
  /** Number of requests before the load that are not counted: during them V8 compiles the client's code. */
  readonly warmUp?: number;
  /** Addresses from which the clients connect. */
  readonly sources?: readonly string[];
}

/** The answers in columns, because a run has hundreds of thousands. The n-th elements belong to the n-th answer. */
export interface LoadReport {
  readonly kinds: readonly Kind[];
  /** Status of each answer. 503 is a correct refusal and -503 a wrong one; 0 means that the connection was cut. */
  readonly statuses: readonly number[];
  /** Milliseconds between the time at which each request was due and its answer. */
  readonly latencies: readonly number[];
  /** When each request was due, in ms from the start. */
  readonly dues: readonly number[];
  readonly problems: readonly string[];
  /** Seconds for which requests were sent. */
  readonly seconds: number;
  /** Share of a core that the client used. */
  readonly clientBusy: number;
}

/** @param priority priority of the client as in nice(1) */
export async function measureLoad(
  job: LoadJob,
  cpus: Cpus,
  priority = RAISED_PRIORITY,
): Promise<LoadReport> {
  const process = await startClient<LoadJob, LoadReport>(
    { module: import.meta.url, priority },
    job,
    cpus,
  );
  try {
    return await process.begin();
  } finally {
    process.stop();
  }
}

/** Called by load/child.ts, which imports this module by its URL. @public */
export function client(job: LoadJob): Run<LoadReport> {
  return async () => {
    const pool = new RawPool(job.url, job.atATime ?? job.connections ?? CONNECTIONS, job.sources);
    await pool.open();
    const { warmUp = WARM_UP } = job;
    await runClosed(pool, job, { atATime: 4, isOver: (sent) => sent >= warmUp, note: () => {} });
    const statuses: number[] = [];
    const latencies: number[] = [];
    const dues: number[] = [];
    const kinds: Kind[] = [];
    const problems: string[] = [];
    const cpu = process.cpuUsage();
    const startedAt = performance.now();
    const endsAt = startedAt + job.seconds * 1_000;
    const note: Note = ({ kind, text }, due, status, answer) => {
      const isWrong = status === 503 ? !REFUSAL.test(answer) : status !== 200;
      if (isWrong && problems.length < 20) {
        problems.push(`${text.split('\r\n', 1)[0]}: ${answer.slice(0, 600)}`);
      }
      kinds.push(kind);
      statuses.push(isWrong && status === 503 ? -503 : status);
      latencies.push(performance.now() - due);
      dues.push(due - startedAt);
    };
    const isOver = (): boolean => performance.now() >= endsAt;
    if (job.rate === undefined)
      await runClosed(pool, job, { atATime: job.atATime ?? 1, isOver, note });
    else await runOpen(pool, job, { rate: job.rate, note });
    const { user, system } = process.cpuUsage(cpu);
    const clientBusy = ((user + system) * 1e-3) / (performance.now() - startedAt);
    pool.close();
    return { kinds, statuses, latencies, dues, problems, seconds: job.seconds, clientBusy };
  };
}

type Note = (sent: Sent, due: number, status: number, answer: string) => void;

async function runClosed(
  pool: RawPool,
  { requests }: LoadJob,
  { atATime, isOver, note }: { atATime: number; isOver: (sent: number) => boolean; note: Note },
): Promise<void> {
  let next = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  let running = atATime;
  const sendNext = (): void => {
    if (isOver(next)) {
      running -= 1;
      if (running === 0) resolve();
      return;
    }
    const sent = cycled(requests, next);
    next += 1;
    const due = performance.now();
    pool.send(numbered(sent), ({ status, text }) => {
      note(sent, due, status, text);
      sendNext();
    });
  };
  for (let at = 0; at < atATime; at += 1) sendNext();
  await promise;
}

let lastNumber = Number(NUMBER_PLACEHOLDER) + Math.floor(Math.random() * 8e7);

function numbered({ text, kind }: Sent): string {
  if (kind !== 'write') return text;
  lastNumber += 1;
  return text.replace(NUMBER_PLACEHOLDER, String(lastNumber));
}

/** Milliseconds to wait for the last answers: a bit longer than the server may work on a request. */
const GRACE_MS = 6_000;

async function runOpen(
  pool: RawPool,
  { requests, seconds }: LoadJob,
  { rate, note }: { rate: number; note: Note },
): Promise<void> {
  const total = Math.floor(rate * seconds);
  const startedAt = performance.now();
  let answered = 0;
  for (let next = 0; next < total; await wait(1)) {
    const dueCount = Math.min(total, ((performance.now() - startedAt) / 1_000) * rate);
    for (; next < dueCount; next += 1) {
      const sent = cycled(requests, next);
      const due = startedAt + (next / rate) * 1_000;
      pool.send(numbered(sent), ({ status, text }) => {
        answered += 1;
        note(sent, due, status, text);
      });
    }
  }
  for (const until = performance.now() + GRACE_MS; answered < total; await wait(10)) {
    if (performance.now() > until) break;
  }
}
