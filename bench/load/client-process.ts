import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { pinProcess, type Cpus } from '../support/machine/cpus.ts';
import { ownProcess } from '../support/program.ts';
import { latenciesOf } from '../support/statistics.ts';
import { countCost, type Measure, type MeasuredServer } from './measure.ts';
import type { Problems } from './problems.ts';

const CHILD = fileURLToPath(new URL('child.ts', import.meta.url));

/** Options of one run, which take precedence over those of the job. */
export interface Order {
  readonly seconds?: number;
}

/** Sends the requests of one run. A run without a fixed length ends when `over` resolves. */
export type Run<Report> = (order: Order, over: Promise<void>) => Promise<Report>;

/**
 * The function that a client's module exports as `client`. It is called in a process of its own.
 * @returns a function for a run, once the client is warmed up
 */
export type Client<Job, Report> = (job: Job) => Run<Report> | Promise<Run<Report>>;

/** The first message to the process. */
export interface Start {
  /** URL of a module that exports `client`. */
  readonly module: string;
  /** The niceness of the client: below zero it has a higher priority than other processes on its core. */
  readonly priority: number;
  readonly job: unknown;
}

/** The report of a client whose requests are measured. */
export interface LoadReport {
  /** Latencies of the measured answers in milliseconds. */
  readonly latencies: readonly number[];
  /** Length of the run in seconds. */
  readonly seconds: number;
  readonly problems: Problems;
}

export interface MeasuredLoad<Job extends { url: string }> {
  readonly server: MeasuredServer;
  readonly job: Omit<Job, 'url'>;
}

export interface ClientProcess<Report> {
  /** Runs the client once. Call it again only after it has resolved to the report. */
  begin(order?: Order): Promise<Report>;
  /** Ends the current run. */
  endRun(): void;
  stop(): void;
}

/**
 * Starts a client in a process of its own on the core of the load.
 * @returns the client, once it is warmed up
 * @throws Error when the process ends by itself
 */
export async function startClient<Job, Report>(
  { module, priority = 0 }: { module: string; priority?: number },
  job: Job,
  cpus: Cpus,
): Promise<ClientProcess<Report>> {
  const child = ownProcess(fork(CHILD, { serialization: 'advanced' }));
  const exit = once(child, 'exit').then(([code]) => {
    throw new Error(`the client has ended by itself (${code})`);
  });
  const answerTo = async (message: object) => {
    child.send(message);
    const [report] = (await Promise.race([once(child, 'message'), exit])) as [unknown];
    return report;
  };
  const client = {
    begin: (order: Order = {}) => answerTo(order) as Promise<Report>,
    endRun: () => void child.send('over'),
    stop: () => {
      if (child.exitCode === null) child.kill();
    },
  };
  try {
    if (child.pid !== undefined) pinProcess(cpus.load, child.pid);
    await answerTo({ module, priority, job } satisfies Start);
    return client;
  } catch (error) {
    client.stop();
    throw error;
  }
}

/** Runs a client once, and measures the server's answers. @throws Error when a request went wrong */
export async function measureClient<Job extends { url: string }, Report extends LoadReport>(
  client: { module: string; priority?: number },
  { server, job }: MeasuredLoad<Job>,
  cpus: Cpus,
): Promise<{ measure: Measure; report: Report }> {
  const started = await startClient<object, Report>(client, { url: server.url, ...job }, cpus);
  try {
    const costOf = countCost(server);
    const report = await started.begin();
    const { latencies, seconds, problems } = report;
    const requests = latencies.length;
    const cost = costOf(requests);
    if (problems.count > 0) {
      throw new Error(`${problems.count} requests went wrong, such as: ${problems.sample}`);
    }
    const measure = { rate: requests / seconds, ...cost, ...latenciesOf(latencies), requests };
    return { measure, report };
  } finally {
    started.stop();
  }
}
