import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  /** Head and body of the answer as they were sent. */
  readonly text: string;
}

type OnAnswer = (answer: RawAnswer) => void;

const BATCH = 100;
const LENGTH_HEADER = /\r\ncontent-length: (\d+)/i;
const CLOSE_HEADER = /\r\nconnection: close/i;

/**
 * A pool of keep-alive connections. They send the bytes of requests as given, and parse only what a load needs of
 * the answers: `node:http` would take as much of the core as the server that the load is to overload.
 */
export class RawPool {
  readonly #host: string;
  readonly #port: number;
  readonly #limit: number;
  readonly #addresses: readonly string[];
  #openedCount = 0;
  readonly #idle: Socket[] = [];
  readonly #waiting: [text: string, onAnswer: OnAnswer][] = [];
  readonly #callbacks = new WeakMap<Socket, OnAnswer>();
  readonly #sockets = new Set<Socket>();

  /** @param limit most connections at a time @param addresses local ones, used in turn; none: the kernel chooses */
  constructor(url: string, limit: number, addresses: readonly string[] = []) {
    this.#addresses = addresses;
    const { hostname, port } = new URL(url);
    this.#host = hostname;
    this.#port = Number(port);
    this.#limit = limit;
  }

  /** Opens all connections in batches, because the kernel drops connections that do not fit into the backlog. */
  async open(): Promise<void> {
    while (this.#sockets.size < this.#limit) {
      const batch = Array.from({ length: BATCH }, () => this.#connect() ?? []).flat();
      await Promise.all(batch.map((socket) => once(socket, 'connect')));
      for (const socket of batch) this.#reuse(socket);
    }
  }

  /** Sends a request over an idle or a new connection; at the limit, the request waits. @param text its bytes */
  send(text: string, onAnswer: OnAnswer): void {
    const socket = this.#idle.shift() ?? this.#connect();
    if (socket) this.#write(socket, text, onAnswer);
    else this.#waiting.push([text, onAnswer]);
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #connect(): Socket | undefined {
    if (this.#sockets.size >= this.#limit) return undefined;
    const localAddress = this.#addresses[this.#openedCount % this.#addresses.length];
    this.#openedCount += 1;
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
      if (received.length < bodyAt + Number(LENGTH_HEADER.exec(head)?.[1] ?? 0)) return;
      const answer = { status: Number(head.slice(9, 12)), text: received };
      received = '';
      const onAnswer = this.#callbacks.get(socket);
      this.#callbacks.delete(socket);
      if (CLOSE_HEADER.test(head)) socket.destroy();
      else this.#reuse(socket);
      onAnswer?.(answer);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#sockets.delete(socket);
      const at = this.#idle.indexOf(socket);
      if (at >= 0) this.#idle.splice(at, 1);
      // Status 0 stands for a connection that has ended without an answer.
      this.#callbacks.get(socket)?.({ status: 0, text: '' });
      this.#sendWaiting();
    });
    this.#sockets.add(socket);
    return socket;
  }

  /** Sends the next waiting request over a new connection, which replaces one that has ended. */
  #sendWaiting(): void {
    const next = this.#waiting.shift();
    const socket = next && this.#connect();
    if (socket) this.#write(socket, ...next);
  }

  #reuse(socket: Socket): void {
    const next = this.#waiting.shift();
    if (next) this.#write(socket, ...next);
    else this.#idle.push(socket);
  }

  #write(socket: Socket, text: string, onAnswer: OnAnswer): void {
    this.#callbacks.set(socket, onAnswer);
    socket.write(text, 'latin1');
  }
}
