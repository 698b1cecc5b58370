import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { atEnd } from '../../support/program.ts';

export interface LoadJob {
  readonly urls: readonly string[];
  readonly paths: readonly string[];
  /** Requests a second, to all servers together. */
  readonly rate: number;
}

export interface Sample {
  /** When the request was due, as `epochNow` counts. */
  readonly due: number;
  /** Until its answer, from when it was due. */
  readonly ms: number;
  readonly where: string;
  /** `200`, or what was wrong. */
  readonly result: string;
}

/** Begins to read. @returns ends it, and returns what was answered */
export function startLoad(job: LoadJob): () => Promise<readonly Sample[]> {
  const worker = new Worker(new URL('load.thread.ts', import.meta.url), { workerData: job });
  const forget = atEnd(() => worker.terminate());
  const failed = once(worker, 'error').then(([error]) => Promise.reject(error as Error));
  return async () => {
    const done = once(worker, 'message');
    worker.postMessage('end');
    const [samples] = (await Promise.race([done, failed])) as [Sample[]];
    await worker.terminate();
    forget();
    return samples;
  };
}

export function epochNow(): number {
  return performance.timeOrigin + performance.now();
}
