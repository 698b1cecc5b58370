import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that wait for the answer to an earlier one; with one more it is destroyed. */
export const MAX_WAITING = 64;

/**
 * Waiting requests that start in one turn of the event loop. They may be answered at once, and the next
 * start right after them: other connections wait for so many at most. More than one of a connection,
 * because Node answers a client that has ended its side only until it reads that end, a turn later.
 */
export const STARTS_PER_TURN = 256;

type Listener = (request: IncomingMessage, response: QueuedResponse) => void;

interface RequestQueueOptions {
  /** Told when a connection is destroyed because it has sent too many requests. */
  readonly onOverflow: (socket: Socket) => void;
}

/** What Node is to make for the answers (its option `ServerResponse`). */
export class QueuedResponse extends ServerResponse {
  /** Called when the system has taken the answers to all earlier requests of the connection. */
  onTurn?: () => void;

  /** Called by Node at that time. Its event `socket` says the same, and needs a listener each time. */
  override assignSocket(socket: Socket): void {
    super.assignSocket(socket);
    this.onTurn?.();
  }
}

/**
 * Stands between Node and the application, and bounds what pipelining may cost (RFC 9112, section
 * 9.3.2). Node dispatches every request of a read at once, and keeps the answers until the client reads
 * them: 64 KiB of requests become hundreds of answers in memory.
 *
 * The requests of a connection run one after another. The next one starts when the system has taken all
 * of the answer before it, so a connection holds one answer at most, and a read sees what a write before
 * it has done. A connection with more than 64 waiting requests is destroyed.
 */
export class RequestQueue {
  private readonly waiting = new WeakMap<Socket, number>();
  private startsLeft = STARTS_PER_TURN;

  constructor(
    private readonly run: Listener,
    private readonly options: RequestQueueOptions,
  ) {}

  /** Listens to the `request` event of a server in place of the application. */
  readonly accept: Listener = (request, response) => {
    // Node gives a response its socket at once unless an earlier one has it. The request starts when all
    // that was read has been parsed: what follows it may be a broken body, or one request too many.
    if (response.socket !== null) process.nextTick(this.runIfOpen, request, response);
    else this.enqueue(request, response);
  };

  private enqueue(request: IncomingMessage, response: QueuedResponse): void {
    const { socket } = request;
    // The rest of what was read when its connection was destroyed.
    if (socket.destroyed) return;
    const waiting = this.count(socket, 1);
    if (waiting > MAX_WAITING) {
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
    const waiting = (this.waiting.get(socket) ?? 0) + more;
    this.waiting.set(socket, waiting);
    return waiting;
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
    // Not so when it was destroyed, and when its last answer has been written.
    if (request.socket.writable) this.run(request, response);
  };
}
