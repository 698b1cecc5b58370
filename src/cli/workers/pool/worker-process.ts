import cluster, { type Worker } from 'node:cluster';
import { setTimeout as wait } from 'node:timers/promises';
import type { TcpHandle } from '../../../platform/http/connection/queued-server.js';
import type { MetricValues } from '../../../platform/metrics/metric.js';
import type { SharedPort, SupervisorMessage, WorkerMessage } from '../messages.js';

/**
 * Milliseconds to wait for the metrics of a worker: less than the ten seconds that Prometheus waits
 * for the metrics of all workers.
 */
const METRICS_DEADLINE_MS = 2_000;

type Metrics = readonly MetricValues[] | null;

/** A worker process, from the supervisor's side. */
export class WorkerProcess {
  /** True when the worker is ready for `listen`; false when it ended before. */
  readonly initialised: Promise<boolean>;
  /** Why the worker should get no requests; known once it is initialised. */
  notReady: string | undefined;
  /** The worker's URL when it accepts requests; null when it ended before. */
  readonly listening: Promise<string | null>;
  /**
   * Why the worker ended: a signal such as `SIGKILL`, an exit code such as `exit code 1`, or a
   * start error.
   */
  readonly ended: Promise<string>;
  /** Whether the worker accepts requests. */
  isListening = false;
  /** The worker that replaces this worker; set when this worker is told to retire. */
  private successor: WorkerProcess | null = null;
  private resolveMetrics: (metrics: Metrics) => void = () => undefined;
  private resolveSocket: (socket: TcpHandle | null) => void = () => undefined;

  private constructor(private readonly worker: Worker) {
    const initialised = Promise.withResolvers<boolean>();
    const listening = Promise.withResolvers<string | null>();
    const ended = Promise.withResolvers<string>();
    worker.on('message', (message: WorkerMessage, socket: unknown) => {
      if (message.kind === 'initialised') {
        this.notReady = message.notReady;
        return initialised.resolve(true);
      }
      if (message.kind === 'metrics') return this.resolveMetrics(message.values);
      if (message.kind === 'socket') return this.resolveSocket(socket as TcpHandle);
      if (message.kind === 'connection') return this.passOn(socket as TcpHandle | undefined);
      this.isListening = true;
      listening.resolve(message.url);
    });
    const end = (how: string): void => {
      this.isListening = false;
      initialised.resolve(false);
      listening.resolve(null);
      ended.resolve(how);
      this.resolveMetrics(null);
      this.resolveSocket(null);
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
   * @param program path of the worker's module
   * @param env environment variables that differ from those of this process
   */
  static start(program: string, env: Readonly<Record<string, string>>): WorkerProcess {
    cluster.setupPrimary({ exec: program, args: [] });
    return new WorkerProcess(cluster.fork(env));
  }

  get pid(): number {
    return this.worker.process.pid ?? 0;
  }

  /** @param socket the socket of the worker that this worker replaces; null when it takes over none */
  listen(port: SharedPort, socket: TcpHandle | null = null): void {
    if (socket === null) this.worker.send(port);
    else this.worker.send(port, socket as never, () => socket.close());
  }

  /**
   * Asks a listening worker for its listening socket, to give it to the successor as well. The worker
   * continues to accept connections on it. Connections that wait to be accepted are lost only when no
   * process has the socket open any more.
   *
   * @returns null when the worker has ended
   */
  async socket(): Promise<TcpHandle | null> {
    if (!this.isListening) return null;
    const answer = Promise.withResolvers<TcpHandle | null>();
    this.resolveSocket = answer.resolve;
    this.ask('socket');
    return answer.promise;
  }

  /**
   * Asks a listening worker for its metrics.
   *
   * @returns null when it does not answer in time, or has ended
   */
  async metrics(): Promise<Metrics> {
    const answer = Promise.withResolvers<Metrics>();
    this.resolveMetrics = answer.resolve;
    this.ask('metrics');
    return Promise.race([answer.promise, wait(METRICS_DEADLINE_MS, null, { ref: false })]);
  }

  /** Sends SIGTERM. */
  terminate(): void {
    // `process.kill` is used, because `worker.kill` would first close the channel to the
    // supervisor.
    this.worker.process.kill('SIGTERM');
  }

  /** Sends SIGTERM, and SIGKILL after the deadline. Resolves when the worker has ended. */
  stop(deadlineMs: number): Promise<void> {
    this.terminate();
    return this.waitOrKill(deadlineMs);
  }

  /**
   * Lets the worker finish its requests, and kills it after the deadline. Resolves when it has
   * ended.
   *
   * @param successor takes over the connections that have no request
   */
  retire(deadlineMs: number, successor: WorkerProcess): Promise<void> {
    this.successor = successor;
    this.ask('retire', { takesConnections: true });
    return this.waitOrKill(deadlineMs);
  }

  /** Whether the worker was told to end because another worker replaces it. */
  get isRetiring(): boolean {
    return this.successor !== null;
  }

  /** @param connection the connection; undefined if the client has closed it meanwhile */
  private passOn(connection: TcpHandle | undefined): void {
    if (connection === undefined) return;
    const { successor } = this;
    if (!successor?.worker.isConnected()) connection.close();
    else {
      const message: SupervisorMessage = { kind: 'connection' };
      successor.worker.send(message, connection as never, () => connection.close());
    }
  }

  private ask(kind: SupervisorMessage['kind'], more: Partial<SupervisorMessage> = {}): void {
    if (this.worker.isConnected()) this.worker.send({ ...more, kind } satisfies SupervisorMessage);
  }

  private async waitOrKill(deadlineMs: number): Promise<void> {
    const timer = setTimeout(() => this.worker.process.kill('SIGKILL'), deadlineMs);
    await this.ended;
    clearTimeout(timer);
  }
}
