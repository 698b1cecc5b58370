import { fork, type ChildProcess } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import pLimit from 'p-limit';
import { UnavailableError } from '../../../platform/http/errors/api.errors.js';
import { siblingModuleUrl } from '../../../platform/threads/thread-pool.js';
import { PictureRefusedError } from '../media.errors.js';
import type {
  FullPicture,
  FullTask,
  PictureResult,
  PictureTask,
  SizeTask,
} from './picture-tasks.js';

/** Milliseconds that one picture may take. */
const TASK_MS = 20_000;

/** Number of pictures that may wait. */
const WAITING_MAX = 40;

/** Milliseconds after which an idle process is ended, to free its memory. */
const IDLE_MS = 30_000;

/** Megabytes of the heap of its JavaScript, which holds no picture. */
const HEAP_MB = 48;

const MODULE = siblingModuleUrl(import.meta.url, 'picture.main');

/**
 * Reads and writes pictures in a process of its own, one at a time. It starts with the first picture, and again after
 * a picture has crashed it or was taking too long.
 */
@Injectable()
export class PictureProcess implements OnApplicationShutdown {
  private readonly logger = new Logger(PictureProcess.name);
  private readonly limit = pLimit(1);
  private child: ChildProcess | null = null;
  private idleTimer: NodeJS.Timeout | null = null;
  /** Number of pictures that were made, and that were refused, since the start. */
  readonly counts = { made: 0, refused: 0 };

  /**
   * Makes the full picture of a file that was uploaded.
   *
   * @throws PictureRefusedError @throws UnavailableError
   */
  async full(task: Omit<FullTask, 'kind'>): Promise<FullPicture> {
    const picture = await this.run({ kind: 'full', ...task });
    if (!picture) throw new PictureRefusedError('it could not be read');
    return picture;
  }

  /** Makes a picture of another size. @throws PictureRefusedError @throws UnavailableError */
  async size(task: Omit<SizeTask, 'kind'>): Promise<void> {
    await this.run({ kind: 'size', ...task });
  }

  onApplicationShutdown(): void {
    this.end();
  }

  private async run(task: PictureTask): Promise<FullPicture | null> {
    if (this.limit.pendingCount >= WAITING_MAX) {
      throw new UnavailableError('too many pictures are being read: try again in a moment');
    }
    const result = await this.limit(() => this.ask(task));
    if ('refusal' in result) {
      this.counts.refused += 1;
      throw new PictureRefusedError(result.refusal);
    }
    this.counts.made += 1;
    return result.picture;
  }

  private async ask(task: PictureTask): Promise<PictureResult> {
    const child = this.started();
    const result = await new Promise<PictureResult>((resolve) => {
      const end = (outcome: PictureResult): void => {
        clearTimeout(timer);
        child.off('exit', onExit).off('message', end);
        resolve(outcome);
      };
      const onExit = (): void => end({ refusal: 'it takes too much memory, or is damaged' });
      const timer = setTimeout(() => {
        end({ refusal: 'it takes too long to read' });
        child.kill('SIGKILL');
      }, TASK_MS);
      child.once('exit', onExit).once('message', end);
      child.send(task, (error) => {
        if (error) onExit();
      });
    });
    this.idleTimer = setTimeout(() => this.end(), IDLE_MS).unref();
    return result;
  }

  private started(): ChildProcess {
    if (this.idleTimer) clearTimeout(this.idleTimer);
    if (this.child?.connected) return this.child;
    // It gets none of the environment, where secrets are.
    const child = fork(fileURLToPath(MODULE), {
      env: { MALLOC_ARENA_MAX: '2' },
      execArgv: [`--max-old-space-size=${HEAP_MB}`, '--disable-warning=ExperimentalWarning'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.on('error', (error) =>
      this.logger.warn(`the picture process has failed: ${error.message}`),
    );
    child.once('exit', () => {
      if (this.child === child) this.child = null;
    });
    // Requests come first.
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    child.unref();
    child.channel?.unref();
    this.child = child;
    return child;
  }

  private end(): void {
    this.child?.disconnect();
    this.child = null;
  }
}
