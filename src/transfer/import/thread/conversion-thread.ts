import { Piscina } from 'piscina';
import { siblingModuleUrl } from '../../../platform/threads/thread-pool.js';
import { refusalOf } from '../articles/contained.js';
import type { Refusal } from '../articles/imported-article.js';
import type * as tasks from './conversion.worker.js';

type Tasks = typeof tasks;
type TaskName = Exclude<keyof Tasks, 'wake'>;

/** The task by which a thread starts. */
const WAKE: keyof Tasks = 'wake';

/** Longest time in which an article is converted. Most articles take a few milliseconds. */
const TIME_MAX_MS = 10_000;

/** Memory limits of the thread. A file of FILE_MAX takes a quarter of it. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 48 };

/**
 * Converts articles on a worker thread, one at a time. An article that takes too long or too much memory ends
 * the thread, and the next one starts another: no article can hold up or end an import.
 */
export class ConversionThread {
  private readonly pool: Piscina;

  constructor(private readonly timeMaxMs = TIME_MAX_MS) {
    this.pool = new Piscina({
      filename: siblingModuleUrl(import.meta.url, 'conversion.worker'),
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: 60_000,
      resourceLimits: RESOURCE_LIMITS,
    });
    // The task of a thread that fails to start is rejected as well, which `run` reports.
    this.pool.on('error', () => undefined);
  }

  /** @returns what the task returns, or why it did not end */
  async run<Name extends TaskName>(
    name: Name,
    task: Parameters<Tasks[Name]>[0],
  ): Promise<ReturnType<Tasks[Name]> | Refusal> {
    // The start of a thread does not count. On a busy machine it takes longer than any article.
    if (this.pool.threads.length === 0) await this.pool.run(undefined, { name: WAKE });
    const signal = AbortSignal.timeout(this.timeMaxMs);
    try {
      return (await this.pool.run(task, { name, signal })) as ReturnType<Tasks[Name]>;
    } catch (error) {
      if (signal.aborted) {
        return { reason: `it takes more than ${this.timeMaxMs / 1_000} s to convert: simplify it` };
      }
      const { code } = error as Error & { readonly code?: string };
      if (code === 'ERR_WORKER_OUT_OF_MEMORY') {
        return { reason: 'it takes too much memory to convert: simplify it' };
      }
      return refusalOf(error);
    }
  }

  async end(): Promise<void> {
    await this.pool.destroy();
  }
}
