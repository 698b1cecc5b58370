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

/** Bounds of the process. Tests shorten them. */
const LIMITS = {
  /** Milliseconds that one picture may take. */
  taskMs: 20_000,
  /** Number of pictures that may wait. */
  waitingMax: 40,
  /** Milliseconds after which an idle process is ended, to free its memory. */
  idleMs: 30_000,
  /** Bytes that the process may hold; it ends itself above. */
  memoryMax: 400 * 1_048_576,
};

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
  private isStopped = false;
  readonly limits = { ...LIMITS };
  /** Number of pictures since the start: those made of uploads, in other sizes, and refused; and the seconds of work. */
  readonly counts = { made: 0, sized: 0, refused: 0, seconds: 0 };

  /** The id of the process, if it runs. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

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

  /** Makes a picture of another size. @throws UnavailableError also if the process cannot make it */
  async size(task: Omit<SizeTask, 'kind'>): Promise<void> {
    try {
      await this.run({ kind: 'size', ...task });
    } catch (error) {
      if (!(error instanceof PictureRefusedError)) throw error;
      // The full picture was written by this server, so its reader is not to blame.
      this.logger.error(`${task.input} has no size of ${task.width} pixels: ${error.message}`);
      throw new UnavailableError('the picture has not been made in this size: try again');
    }
  }

  onApplicationShutdown(): void {
    this.isStopped = true;
    this.end();
  }

  private async run(task: PictureTask): Promise<FullPicture | null> {
    if (this.limit.pendingCount >= this.limits.waitingMax) {
      throw new UnavailableError('too many pictures are being read: try again in a moment');
    }
    const result = await this.limit(() => this.ask(task));
    if ('failure' in result) {
      this.logger.error(`a picture was not written: ${result.failure}`);
      throw new UnavailableError('the server could not write the picture: try again in a moment');
    }
    if ('refusal' in result) {
      this.counts.refused += 1;
      throw new PictureRefusedError(result.refusal);
    }
    this.counts[task.kind === 'full' ? 'made' : 'sized'] += 1;
    return result.picture;
  }

  private async ask(task: PictureTask): Promise<PictureResult> {
    const isFresh = !this.child?.connected;
    const startedAt = performance.now();
    let result = await this.attempt(task);
    // A process that has read other pictures may have ended because of these.
    if (!result && !isFresh) result = await this.attempt(task);
    this.counts.seconds += (performance.now() - startedAt) / 1_000;
    this.idleTimer = setTimeout(() => this.end(), this.limits.idleMs).unref();
    return result ?? { refusal: 'it takes too much memory, or is damaged' };
  }

  /** @returns null if the process has ended without an answer @throws UnavailableError if it does not start */
  private async attempt(task: PictureTask): Promise<PictureResult | null> {
    if (this.isStopped) throw new UnavailableError('the server stops: send the picture again');
    const child = this.started();
    if (child.pid === undefined) throw new UnavailableError('no picture can be read: try again');
    return new Promise((resolve) => {
      const finish = (result: PictureResult | null): void => {
        clearTimeout(timer);
        child.off('message', finish).off('disconnect', onEnd).off('error', onEnd);
        resolve(result);
      };
      const onEnd = (): void => {
        if (this.child === child) this.child = null;
        finish(null);
      };
      const timer = setTimeout(() => {
        this.child = null;
        child.kill('SIGKILL');
        finish({ refusal: 'it takes too long to read' });
      }, this.limits.taskMs).unref();
      // An answer that was sent before the end comes before this `disconnect`, but not always before `exit`.
      child.once('message', finish).once('disconnect', onEnd).once('error', onEnd);
      child.send(task);
    });
  }

  private started(): ChildProcess {
    if (this.idleTimer) clearTimeout(this.idleTimer);
    if (this.child?.connected) return this.child;
    // It gets none of the environment, where secrets are.
    const child = fork(fileURLToPath(MODULE), [String(this.limits.memoryMax)], {
      env: { MALLOC_ARENA_MAX: '2' },
      execArgv: [`--max-old-space-size=${HEAP_MB}`, '--disable-warning=ExperimentalWarning'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.on('error', (error) =>
      this.logger.warn(`the picture process has failed: ${error.message}`),
    );
    child.once('disconnect', () => {
      if (this.child === child) this.child = null;
    });
    lowerPriority(child.pid);
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

/** Requests come first. */
function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended already, or a sandbox does not allow it.
  }
}
