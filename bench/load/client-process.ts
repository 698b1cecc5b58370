import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { pinProcess, type Cpus } from '../support/cpus.ts';
import { ownProcess } from '../support/program.ts';

const CHILD = fileURLToPath(new URL('child.ts', import.meta.url));

/** How one run differs from the job. */
export interface Order {
  readonly seconds?: number;
}

/** Sends what it has to; a run without a fixed length ends with `over`. */
export type Run<Report> = (order: Order, over: Promise<void>) => Promise<Report>;

/**
 * What the module of a client exports under this name, to be called in a process of its own.
 *
 * @returns when it is warm
 */
export type Client<Job, Report> = (job: Job) => Run<Report> | Promise<Run<Report>>;

/** The first message to the process. */
export interface Start {
  /** URL of a module that exports `client`. */
  readonly module: string;
  /** As in nice(1): below zero it goes before the others on its core. */
  readonly priority: number;
  readonly job: unknown;
}

export interface ClientProcess<Report> {
  /** Runs once; may be called again when it has reported. */
  begin(order?: Order): Promise<Report>;
  /** Ends the run under way. */
  endRun(): void;
  stop(): void;
}

/**
 * Starts a client in a process of its own on the core of the load.
 *
 * @returns when it is warm
 * @throws Error when it ends by itself
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

/**
 * Runs a client once.
 *
 * @param ready is waited for when the client is warm; what it measures begins after that
 */
export async function runClient<Job, Report>(
  client: { module: string; priority?: number },
  job: Job,
  cpus: Cpus,
  ready: () => Promise<void> = () => Promise.resolve(),
): Promise<Report> {
  const started = await startClient<Job, Report>(client, job, cpus);
  try {
    await ready();
    return await started.begin();
  } finally {
    started.stop();
  }
}

/** @returns what so many loads take as `ready` that are to begin at the same time */
export function together(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let warm = 0;
  return () => {
    warm += 1;
    if (warm === count) resolve();
    return promise;
  };
}
