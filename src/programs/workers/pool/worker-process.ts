import cluster, { type Worker } from 'node:cluster';
import type { SharedPort, WorkerMessage } from '../messages.js';

/** A process that serves, seen from the one that started it. */
export class WorkerProcess {
  /** True once it can be told where to listen; false when it ended before. */
  readonly initialised: Promise<boolean>;
  /** Its address once it takes requests; null when it ended before. */
  readonly listening: Promise<string | null>;
  /** How it ended, in words. */
  readonly ended: Promise<string>;
  /** Whether it takes requests. */
  isListening = false;

  private constructor(private readonly worker: Worker) {
    const initialised = Promise.withResolvers<boolean>();
    const listening = Promise.withResolvers<string | null>();
    const ended = Promise.withResolvers<string>();
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'initialised') return initialised.resolve(true);
      this.isListening = true;
      listening.resolve(message.url);
    });
    const end = (how: string): void => {
      this.isListening = false;
      initialised.resolve(false);
      listening.resolve(null);
      ended.resolve(how);
    };
    worker.on('exit', (code: number | null, signal: string | null) =>
      end(signal ?? `exit code ${code}`),
    );
    worker.on('error', ({ message }: Error) => {
      // The system had no room for it. Else something could not be told to it, because it has
      // just ended, which `exit` says.
      if (worker.process.pid === undefined) end(message);
    });
    this.initialised = initialised.promise;
    this.listening = listening.promise;
    this.ended = ended.promise;
  }

  /**
   * Starts one.
   *
   * @param program path of the module that it runs
   * @param env settings that differ from those of this process
   */
  static start(program: string, env: Readonly<Record<string, string>>): WorkerProcess {
    cluster.setupPrimary({ exec: program, args: [] });
    return new WorkerProcess(cluster.fork(env));
  }

  get pid(): number {
    return this.worker.process.pid ?? 0;
  }

  listen(port: SharedPort): void {
    this.worker.send(port);
  }

  /** Lets it finish what it has, and ends it by force after the deadline. Resolves when it is gone. */
  async stop(deadlineMs: number): Promise<void> {
    // Not `worker.kill`, which cuts it off from us first.
    this.worker.process.kill('SIGTERM');
    const timer = setTimeout(() => this.worker.process.kill('SIGKILL'), deadlineMs);
    await this.ended;
    clearTimeout(timer);
  }
}
