import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  /** Head and body of the answer as they were sent. */
  readonly text: string;
}

type Answered = (answer: RawAnswer) => void;

const BATCH = 100;
const LENGTH = /\r\ncontent-length: (\d+)/i;
const CLOSES = /\r\nconnection: close/i;

/**
 * A pool of keep-alive connections. They send the bytes of requests as given, and parse only what a load needs of
 * the answers: `node:http` would take as much of the core as the server that the load is to overload.
 */
export class RawPool {
  readonly #host: string;
  readonly #port: number;
  readonly #limit: number;
  readonly #from: readonly string[];
  #opened = 0;
  readonly #idle: Socket[] = [];
  readonly #waiting: [text: string, answered: Answered][] = [];
  readonly #answered = new WeakMap<Socket, Answered>();
  readonly #open = new Set<Socket>();

  /** @param limit most connections at a time @param from local addresses, used in turn; the default one if left out */
  constructor(url: string, limit: number, from: readonly string[] = []) {
    this.#from = from;
    const { hostname, port } = new URL(url);
    this.#host = hostname;
    this.#port = Number(port);
    this.#limit = limit;
  }

  /** Opens all connections in batches, because the kernel drops connections that do not fit into the backlog. */
  async open(): Promise<void> {
    while (this.#open.size < this.#limit) {
      const some = Array.from({ length: BATCH }, () => this.#connect() ?? []).flat();
      await Promise.all(some.map((socket) => once(socket, 'connect')));
      for (const socket of some) this.#free(socket);
    }
  }

  /** Sends a request over an idle or a new connection; at the limit, the request waits. @param text its bytes */
  send(text: string, answered: Answered): void {
    const socket = this.#idle.shift() ?? this.#connect();
    if (socket) this.#write(socket, text, answered);
    else this.#waiting.push([text, answered]);
  }

  close(): void {
    for (const socket of this.#open) socket.destroy();
  }

  #connect(): Socket | undefined {
    if (this.#open.size >= this.#limit) return undefined;
    const localAddress = this.#from[this.#opened % this.#from.length];
    this.#opened += 1;
    const socket = connect({
      host: this.#host,
      port: this.#port,
      noDelay: true,
      ...(localAddress !== undefined && { localAddress }),
    });
    let received = '';
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      received = received === '' ? chunk : received + chunk;
      const bodyAt = received.indexOf('\r\n\r\n') + 4;
      if (bodyAt < 4) return;
      const head = received.slice(0, bodyAt);
      if (received.length < bodyAt + Number(LENGTH.exec(head)?.[1] ?? 0)) return;
      const answer = { status: Number(head.slice(9, 12)), text: received };
      received = '';
      const answered = this.#answered.get(socket);
      this.#answered.delete(socket);
      if (CLOSES.test(head)) socket.destroy();
      else this.#free(socket);
      answered?.(answer);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#open.delete(socket);
      const at = this.#idle.indexOf(socket);
      if (at >= 0) this.#idle.splice(at, 1);
      // Status 0 stands for a connection that has ended without an answer.
      this.#answered.get(socket)?.({ status: 0, text: '' });
      this.#sendWaiting();
    });
    this.#open.add(socket);
    return socket;
  }

  /** Sends the next waiting request over a new connection, which replaces one that has ended. */
  #sendWaiting(): void {
    const next = this.#waiting.shift();
    const socket = next && this.#connect();
    if (socket) this.#write(socket, ...next);
  }

  #free(socket: Socket): void {
    const next = this.#waiting.shift();
    if (next) this.#write(socket, ...next);
    else this.#idle.push(socket);
  }

  #write(socket: Socket, text: string, answered: Answered): void {
    this.#answered.set(socket, answered);
    socket.write(text, 'latin1');
  }
}
