import { ServerResponse, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { closeLingering } from '../errors/lingering-close.js';

/** Largest number of queued requests per connection. A further request destroys the connection. */
export const MAX_QUEUED = 64;

/**
 * Number of queued requests that may start in one turn of the event loop. Without a limit, requests that are
 * answered at once would start the next ones in the same turn and keep other connections waiting. A limit of
 * one start per connection would be too low: one turn after a client has closed its side, Node ends the
 * connection, and the responses to its remaining requests are lost.
 */
export const STARTS_PER_TURN = 256;

type Listener = (request: IncomingMessage, response: QueuedResponse) => void;

interface RequestQueueOptions {
  /** Called before a connection with too many queued requests is destroyed. */
  readonly onOverflow: (socket: Socket) => void;
}

/**
 * The class of all responses, for Node's option `ServerResponse`. A response reports when Node assigns the
 * socket to it, and closes the connection if it is the last one.
 */
export class QueuedResponse extends ServerResponse {
  /** Called when all earlier responses of the connection were handed to the operating system. */
  onSocketAssigned?: () => void;
  queue?: RequestQueue;

  /** Every response calls this method when its headers are sent, also one from the response cache. */
  override writeHead(status: number, reason?: unknown, headers?: unknown): this {
    const { socket } = this;
    if (socket && this.queue?.isLastResponse(socket)) {
      this.shouldKeepAlive = false;
      // Node calls `destroySoon` after it has written the last response of a connection.
      socket.destroySoon = () => closeLingering(socket);
    }
    return super.writeHead(status, reason as string, headers as OutgoingHttpHeaders);
  }

  /**
   * Node calls this method when it assigns the socket. The event `socket` would need a listener for
   * each response.
   */
  override assignSocket(socket: Socket): void {
    super.assignSocket(socket);
    this.onSocketAssigned?.();
  }
}

/**
 * Limits the cost of pipelining (RFC 9112, section 9.3.2). By itself Node dispatches all requests of a 64 KiB
 * read at once, and buffers hundreds of responses until the client reads them.
 *
 * Here the requests of a connection run one after another. The next request starts when the operating system
 * has taken the whole response to the one before. So a connection buffers one response at most, and a read
 * sees the result of an earlier write on the same connection. A connection with more than 64 waiting requests
 * is destroyed.
 */
export class RequestQueue {
  private readonly queued = new WeakMap<Socket, number>();
  private startsLeft = STARTS_PER_TURN;
  private isClosing = false;

  constructor(
    private readonly run: Listener,
    private readonly options: RequestQueueOptions,
  ) {}

  /** The listener of the server's `request` event. */
  readonly accept: Listener = (request, response) => {
    response.queue = this;
    // A response has no socket until the earlier responses of its connection are finished. `nextTick` delays
    // the start until Node has parsed all bytes of the read, because a malformed body or a request too many
    // may follow, and must prevent the start.
    if (response.socket !== null) process.nextTick(this.runIfOpen, request, response);
    else this.enqueue(request, response);
  };

  /**
   * Makes each response from now on close its connection, unless further requests of the connection
   * are queued.
   */
  closeAfterResponses(): void {
    this.isClosing = true;
  }

  /** Whether the connection closes after its current response. */
  isLastResponse(socket: Socket): boolean {
    return this.isClosing && this.addQueued(socket, 0) === 0;
  }

  private enqueue(request: IncomingMessage, response: QueuedResponse): void {
    const { socket } = request;
    // An earlier request of the same read may have destroyed the connection.
    if (socket.destroyed) return;
    const queued = this.addQueued(socket, 1);
    if (queued > MAX_QUEUED) {
      this.options.onOverflow(socket);
      socket.destroy();
      return;
    }
    response.onSocketAssigned = () => {
      this.addQueued(socket, -1);
      this.start(request, response);
    };
  }

  /** @returns the number of queued requests after the change */
  private addQueued(socket: Socket, change: number): number {
    const queued = (this.queued.get(socket) ?? 0) + change;
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
    // The socket is not writable once the connection was destroyed or its last response was sent.
    if (request.socket.writable) this.run(request, response);
  };
}
