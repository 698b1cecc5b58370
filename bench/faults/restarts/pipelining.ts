import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { CREDENTIALS } from '../../../scripts/support/own-server.ts';
import { cycled } from '../../support/statistics.ts';
import { time } from '../bed/client.ts';

const BATCH = 4;
const PAUSE_MS = 20;
/** The server allows 64 that wait. */
const MOST = 40;

export interface Pipelined {
  answered: number;
  /** Were behind an answer with `Connection: close`, and are sent again. */
  repeated: number;
  readonly failures: string[];
}

/**
 * Sends requests in batches, without waiting for answers, straight to one of the servers at a time. When
 * one says `Connection: close`, it goes on at the next that accepts connections.
 */
export async function pipeline(
  urls: readonly string[],
  paths: readonly string[],
  isOver: () => boolean,
): Promise<Pipelined> {
  const result: Pipelined = { answered: 0, repeated: 0, failures: [] };
  let connection: PipelinedConnection | null = null;
  let repeated: readonly string[] = [];
  for (let at = 0, opened = 0; !isOver(); await wait(PAUSE_MS)) {
    if (!connection?.isOpen) {
      repeated = connection?.takeOutstanding() ?? [];
      result.repeated += repeated.length;
      connection = await PipelinedConnection.open(cycled(urls, (opened += 1)), result);
      if (!connection) continue;
      connection.send(repeated);
      repeated = [];
    }
    if (connection.outstanding > MOST) continue;
    connection.send(Array.from({ length: BATCH }, () => cycled(paths, (at += 1))));
  }
  await connection?.end();
  return result;
}

class PipelinedConnection {
  /** Whether it may be used: nobody has said that it ends. */
  isOpen = true;
  readonly #socket: Socket;
  readonly #url: string;
  readonly #result: Pipelined;
  #paths: string[] = [];
  #received = '';
  #hasEnded = false;

  private constructor(socket: Socket, url: string, result: Pipelined) {
    this.#socket = socket;
    this.#url = url;
    this.#result = result;
    socket.on('data', (chunk: Buffer) => {
      this.#received += chunk.toString('latin1');
      while (this.#read());
    });
    socket.on('error', ({ message }) => this.#end(message));
    socket.on('close', () => this.#end('closed'));
  }

  /** @returns null when nothing listens there */
  static async open(url: string, result: Pipelined): Promise<PipelinedConnection | null> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname).setNoDelay();
    return new Promise((resolve) => {
      socket.once('error', () => resolve(null));
      socket.once('connect', () => {
        socket.removeAllListeners('error');
        resolve(new PipelinedConnection(socket, url, result));
      });
    });
  }

  get outstanding(): number {
    return this.#paths.length;
  }

  send(paths: readonly string[]): void {
    this.#paths.push(...paths);
    const requests = paths.map(
      (path) => `GET ${path} HTTP/1.1\r\nhost: bed\r\nx-api-key: ${CREDENTIALS.apiKey}\r\n\r\n`,
    );
    this.#socket.write(requests.join(''));
  }

  /** What is not answered, when the connection is not open any more. */
  takeOutstanding(): readonly string[] {
    return this.#paths.splice(0);
  }

  /** Waits for the answers. */
  async end(): Promise<void> {
    while (this.isOpen && this.#paths.length > 0) await wait(PAUSE_MS);
    this.#hasEnded = true;
    this.#socket.destroy();
  }

  /** @returns whether there was a whole answer */
  #read(): boolean {
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0 || !this.isOpen) return false;
    const head = this.#received.slice(0, end);
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1]);
    if (this.#received.length < end + 4 + length) return false;
    const answer = this.#received.slice(0, end + 4 + length);
    this.#received = this.#received.slice(answer.length);
    const path = this.#paths.shift();
    this.#result.answered += 1;
    if (!head.startsWith('HTTP/1.1 200 ')) {
      this.#fail(`${path}: ${answer.replaceAll(/\s+/g, ' ').slice(0, 800)}`);
    }
    if (/^connection: close/im.test(head)) {
      this.isOpen = false;
      this.#socket.end();
    }
    return true;
  }

  #end(how: string): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (!this.isOpen) return;
    this.isOpen = false;
    for (const path of this.#paths.splice(0)) this.#fail(`${path}: no answer: ${how}`);
  }

  #fail(what: string): void {
    this.#result.failures.push(`${time()} pipelined GET ${this.#url}${what}`);
  }
}
