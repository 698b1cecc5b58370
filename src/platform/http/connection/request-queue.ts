import { type ServerResponse, type IncomingMessage } from 'node:http';
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

/** What Node tells its parser so that it parses nothing after the headers of this request. */
const STOP_PARSING = 2;

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** Node has no public type for these properties of a connection: its parser and its unfinished response. */
interface HttpSocket extends Socket {
  readonly parser?: { onIncoming: () => number } | null;
  readonly _httpMessage?: ServerResponse | null;
}

interface RequestQueueOptions {
  /** Called before a connection with too many queued requests is destroyed. */
  readonly onOverflow: (socket: Socket) => void;
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
    // A response has no socket until the earlier responses of its connection are finished.
    if (response.socket === null) {
      this.enqueue(request, response);
      return;
    }
    if (this.isClosing) this.closeIfLast(response.socket, response);
    // `nextTick` delays the start until Node has parsed all bytes of the read, because a malformed body or a
    // request too many may follow, and must prevent the start.
    process.nextTick(this.runIfOpen, request, response);
  };

  /**
   * Makes each response from now on close its connection, unless further requests of the connection
   * are queued.
   *
   * @param sockets the open connections
   */
  closeAfterResponses(sockets: Iterable<HttpSocket>): void {
    this.isClosing = true;
    for (const socket of sockets) {
      if (socket._httpMessage) this.closeIfLast(socket, socket._httpMessage);
    }
  }

  /**
   * Makes a response close its connection if no request is queued when its headers are sent. `writeHead` sends
   * the headers of every response, also of one from the response cache.
   */
  private closeIfLast(socket: Socket, response: ServerResponse): void {
    const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => ServerResponse;
    response.writeHead = (...head: unknown[]) => {
      if (this.addQueued(socket, 0) === 0) {
        response.shouldKeepAlive = false;
        // Node calls `destroySoon` after it has written the last response of a connection.
        socket.destroySoon = () => closeLingering(socket);
      }
      return writeHead(...head);
    };
  }

  private enqueue(request: IncomingMessage, response: ServerResponse): void {
    const socket: HttpSocket = request.socket;
    const queued = this.addQueued(socket, 1);
    if (queued > MAX_QUEUED && !socket.destroyed) {
      this.options.onOverflow(socket);
      socket.destroy();
    }
    if (socket.destroyed) {
      // Node would parse the remaining bytes of the read into hundreds of requests, and abort each of them.
      if (socket.parser) socket.parser.onIncoming = () => STOP_PARSING;
      return;
    }
    response.once('socket', () => {
      this.addQueued(socket, -1);
      if (this.isClosing) this.closeIfLast(socket, response);
      this.start(request, response);
    });
  }

  /** @returns the number of queued requests after the change */
  private addQueued(socket: Socket, change: number): number {
    const queued = (this.queued.get(socket) ?? 0) + change;
    this.queued.set(socket, queued);
    return queued;
  }

  private start(request: IncomingMessage, response: ServerResponse): void {
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
