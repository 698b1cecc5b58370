import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const KIB = 1_024;

/** Requests of one connection that run at a time, the one that is being answered included. */
export const MAX_RUNNING = 32;

/** Requests of one connection that wait to be run; with one more it is destroyed. */
export const MAX_WAITING = 64;

/** While a connection has more than this unsent, none of its waiting requests starts. */
const MAX_UNSENT_OF_CONNECTION = 64 * KIB;

/** The same for the whole process: what all pipelined requests hold in memory. */
const MAX_UNSENT_OF_PROCESS = 64 * KIB * KIB;

/** What a request counts as until its answer is there: about the longest there is. */
const EXPECTED_ANSWER = KIB * KIB;

/**
 * Pipelined requests that start in one turn of the event loop, so that those of other clients need not
 * wait for many of them: so many that are answered at once, or four that are not.
 */
const STARTS_PER_TURN = 256;
const COST_OF_A_WAIT = 64;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The requests of one connection that came before the answers to earlier ones were sent. */
interface Pipeline {
  readonly socket: Socket;
  /** The answer whose turn it is; null for the first, which nobody had to wait for. */
  current: ServerResponse | null;
  /** The requests behind it that run already, in the order of their answers. */
  running: ServerResponse[];
  waiting: Exchange[];
  /** Bytes that `running` counts as for the process. */
  counted: number;
}

interface RequestQueueOptions {
  /** Told when a connection is destroyed because it has sent too many requests. */
  readonly onOverflow: (socket: Socket) => void;
}

/**
 * Stands between Node and the application, and bounds what pipelining may cost (RFC 9112, section
 * 9.3.2). Node dispatches every request of a read at once, and keeps the answers until the client reads
 * them: 64 KiB of requests become hundreds of answers in memory.
 *
 * Of one connection at most 32 requests run at a time. No further one starts while the connection has
 * more than 64 KiB unsent, or while the pipelined requests of all connections hold 64 MiB; but one of each
 * connection may always run. A connection with more than 64 waiting requests is destroyed.
 *
 * A request that comes when nothing of its connection is under way, as all do without pipelining, passes
 * at no cost. Others start when all that was read has been parsed, so that nothing is done for them if
 * their connection is destroyed.
 */
export class RequestQueue {
  private readonly pipelines = new WeakMap<Socket, Pipeline>();
  /** Those that may have a request to start, first come, first served. */
  private readonly ready = new Set<Pipeline>();
  private isScheduled = false;
  /** What may still start in this turn of the event loop. */
  private budget = STARTS_PER_TURN;
  private isRefilling = false;
  /** Bytes that the running requests of all pipelines count as. */
  private counted = 0;

  constructor(
    private readonly run: RequestListener,
    private readonly options: RequestQueueOptions,
  ) {}

  /** Listens to the `request` event of a server in place of the application. */
  readonly accept: RequestListener = (request, response) => {
    // Node gives a response its socket at once unless an earlier one has it.
    if (response.socket !== null) this.run(request, response);
    else this.enqueue(request, response);
  };

  private enqueue(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    // The rest of what was read when its connection was destroyed.
    if (socket.destroyed) return;
    const pipeline = this.pipelineOf(socket);
    const { waiting } = pipeline;
    waiting.push({ request, response });
    if (pipeline.running.length + waiting.length > MAX_RUNNING - 1 + MAX_WAITING) {
      this.options.onOverflow(socket);
      socket.destroy();
      return;
    }
    response.once('socket', () => this.turn(pipeline, response));
    this.schedule(pipeline);
  }

  private pipelineOf(socket: Socket): Pipeline {
    const known = this.pipelines.get(socket);
    if (known) return known;
    const pipeline: Pipeline = { socket, current: null, running: [], waiting: [], counted: 0 };
    this.pipelines.set(socket, pipeline);
    socket.once('close', () => this.drop(pipeline));
    return pipeline;
  }

  /** The answer before this one was sent. */
  private turn(pipeline: Pipeline, response: ServerResponse): void {
    pipeline.current = response;
    pipeline.running.shift();
    this.schedule(pipeline);
  }

  private schedule(pipeline: Pipeline): void {
    if (pipeline.waiting.length === 0) return;
    this.ready.add(pipeline);
    if (this.isScheduled) return;
    this.isScheduled = true;
    // After what was read has been parsed, and before the event loop goes on.
    process.nextTick(() => {
      this.isScheduled = false;
      this.startSome();
    });
  }

  private startSome(): void {
    for (const pipeline of this.ready) {
      if (this.budget <= 0) break;
      this.ready.delete(pipeline);
      this.start(pipeline);
      this.count(pipeline);
    }
    if (this.isRefilling || this.budget === STARTS_PER_TURN) return;
    this.isRefilling = true;
    setImmediate(() => {
      this.isRefilling = false;
      this.budget = STARTS_PER_TURN;
      this.startSome();
    });
  }

  /** Starts as many of the waiting requests as may run. */
  private start(pipeline: Pipeline): void {
    while (pipeline.waiting.length > 0 && this.mayStart(pipeline)) {
      if (this.budget <= 0) {
        this.ready.add(pipeline);
        return;
      }
      const next = pipeline.waiting.shift();
      if (!next) return;
      // With its socket it is the current one.
      if (next.response.socket === null) pipeline.running.push(next.response);
      this.run(next.request, next.response);
      this.budget -= next.response.writableEnded ? 1 : COST_OF_A_WAIT;
    }
  }

  private mayStart(pipeline: Pipeline): boolean {
    const { socket, running, current, waiting } = pipeline;
    if (waiting[0]?.response.socket) return true;
    if (running.length + 1 >= MAX_RUNNING) return false;
    this.count(pipeline);
    if (this.counted + EXPECTED_ANSWER > MAX_UNSENT_OF_PROCESS) return false;
    const sending = (current?.socket ? current : socket).writableLength;
    const unsent = running.reduce((sum, { writableLength }) => sum + writableLength, sending);
    return unsent <= MAX_UNSENT_OF_CONNECTION;
  }

  private count(pipeline: Pipeline): void {
    let counted = 0;
    for (const { writableEnded, writableLength } of pipeline.running) {
      counted += writableEnded ? writableLength : EXPECTED_ANSWER;
    }
    this.counted += counted - pipeline.counted;
    pipeline.counted = counted;
  }

  /** Its connection has closed: nobody waits for the answers. */
  private drop(pipeline: Pipeline): void {
    pipeline.running = [];
    this.count(pipeline);
    this.ready.delete(pipeline);
  }
}
