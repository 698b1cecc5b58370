import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of a connection that may wait for an earlier response. One more destroys it. */
export const MAX_QUEUED = 64;

/**
 * Queued requests that may start in one turn of the event loop. Without a limit, requests that end at
 * once would start the next ones in the same turn and keep other connections waiting. One per
 * connection would be too few: after a client has closed its side, Node sends responses only until it
 * reads that end, one turn later.
 */
export const STARTS_PER_TURN = 256;

type Listener = (request: IncomingMessage, response: QueuedResponse) => void;

interface RequestQueueOptions {
  /** Called when a connection is destroyed because it has too many requests waiting. */
  readonly onOverflow: (socket: Socket) => void;
}

/** For Node's option `ServerResponse`. */
export class QueuedResponse extends ServerResponse {
  /** Called when all earlier responses of the connection were handed to the operating system. */
  onTurn?: () => void;

  /** Node calls it at that moment. Its event `socket` would need a listener for each response. */
  override assignSocket(socket: Socket): void {
    super.assignSocket(socket);
    this.onTurn?.();
  }
}

/**
 * Limits the cost of pipelining (RFC 9112, section 9.3.2). By itself Node dispatches all requests of a
 * 64 KiB read at once, and buffers hundreds of responses until the client reads them.
 *
 * Here the requests of a connection run one after another. The next one starts when the operating
 * system has taken the whole response before it. So a connection buffers one response at most, and a
 * read sees an earlier write. A connection with more than 64 waiting requests is destroyed.
 */
export class RequestQueue {
  private readonly queued = new WeakMap<Socket, number>();
  private startsLeft = STARTS_PER_TURN;

  constructor(
    private readonly run: Listener,
    private readonly options: RequestQueueOptions,
  ) {}

  /** The listener of the server's `request` event. */
  readonly accept: Listener = (request, response) => {
    // A response has its socket at once unless an earlier one has it. `nextTick` waits until the whole
    // read is parsed: a malformed body or one request too many may follow, and prevents the start.
    if (response.socket !== null) process.nextTick(this.runIfOpen, request, response);
    else this.enqueue(request, response);
  };

  private enqueue(request: IncomingMessage, response: QueuedResponse): void {
    const { socket } = request;
    // Parsed from a read whose connection was destroyed meanwhile.
    if (socket.destroyed) return;
    const queued = this.count(socket, 1);
    if (queued > MAX_QUEUED) {
      this.options.onOverflow(socket);
      socket.destroy();
      return;
    }
    response.onTurn = () => {
      this.count(socket, -1);
      this.start(request, response);
    };
  }

  private count(socket: Socket, more: number): number {
    const queued = (this.queued.get(socket) ?? 0) + more;
    this.queued.set(socket, queued);
    return queued;
  }

  private start(request: IncomingMessage, response: QueuedResponse): void {
    if (this.startsLeft === 0) {
      setImmediate(this.runIfOpen, request, response);
      return;
    }
    if (this.startsLeft === STARTS_PER_TURN)
      setImmediate(() => (this.startsLeft = STARTS_PER_TURN));
    this.startsLeft -= 1;
    process.nextTick(this.runIfOpen, request, response);
  }

  private readonly runIfOpen: Listener = (request, response) => {
    // False after the connection was destroyed or its last response was written.
    if (request.socket.writable) this.run(request, response);
  };
}
