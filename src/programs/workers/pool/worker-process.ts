import cluster, { type Worker } from 'node:cluster';
import { setTimeout as wait } from 'node:timers/promises';
import type { MetricValues } from '../../../metrics/metric.js';
import { METRICS_REQUEST, type SharedPort, type WorkerMessage } from '../messages.js';

/** Below the ten seconds that Prometheus waits for all. */
const METRICS_DEADLINE_MS = 2_000;

type Metrics = readonly MetricValues[] | null;

/** A worker process, from the supervisor's side. */
export class WorkerProcess {
  /** True when it is ready for `listen`; false when it ended before. */
  readonly initialised: Promise<boolean>;
  /** Its URL when it accepts requests; null when it ended before. */
  readonly listening: Promise<string | null>;
  /** Why it ended: a signal such as `SIGKILL`, an exit code such as `exit code 1`, or a start error. */
  readonly ended: Promise<string>;
  /** Whether it accepts requests. */
  isListening = false;
  private metricsCame: (metrics: Metrics) => void = () => undefined;

  private constructor(private readonly worker: Worker) {
    const initialised = Promise.withResolvers<boolean>();
    const listening = Promise.withResolvers<string | null>();
    const ended = Promise.withResolvers<string>();
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'initialised') return initialised.resolve(true);
      if (message.kind === 'metrics') return this.metricsCame(message.values);
      this.isListening = true;
      listening.resolve(message.url);
    });
    const end = (how: string): void => {
      this.isListening = false;
      initialised.resolve(false);
      listening.resolve(null);
      ended.resolve(how);
      this.metricsCame(null);
    };
    worker.on('exit', (code: number | null, signal: string | null) =>
      end(signal ?? `exit code ${code}`),
    );
    worker.on('error', ({ message }: Error) => {
      // Without a pid the process could not be started. With a pid, a message could not be sent because
      // the process has just ended, which `exit` reports.
      if (worker.process.pid === undefined) end(message);
    });
    this.initialised = initialised.promise;
    this.listening = listening.promise;
    this.ended = ended.promise;
  }

  /**
   * Starts a worker.
   *
   * @param program path of its module
   * @param env environment variables that differ from those of this process
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

  /** Asks a listening worker. @returns null when it does not answer in time, or has ended */
  async metrics(): Promise<Metrics> {
    const answer = Promise.withResolvers<Metrics>();
    this.metricsCame = answer.resolve;
    this.worker.send(METRICS_REQUEST);
    return Promise.race([answer.promise, wait(METRICS_DEADLINE_MS, null, { ref: false })]);
  }

  /** Sends SIGTERM, and SIGKILL after the deadline. Resolves when it has ended. */
  async stop(deadlineMs: number): Promise<void> {
    // `worker.kill` would first close the channel to the supervisor.
    this.worker.process.kill('SIGTERM');
    const timer = setTimeout(() => this.worker.process.kill('SIGKILL'), deadlineMs);
    await this.ended;
    clearTimeout(timer);
  }
}
