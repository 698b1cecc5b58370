import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { socketInodes } from '../../platform/database/embedded/fixture/processes.js';

export interface Reply {
  readonly status: number;
  /** The header `connection`. */
  readonly connection: string | undefined;
  // Tests read the fields that they expect.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
}

export interface HeadersAndBody {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Connections go to processes by chance: with this many, each of a few processes gets one. */
const MAX_CONNECTIONS = 200;

/** One connection to one of the processes that share a port. Every `send` uses this connection. */
export class Connection {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });
  private socket: Socket | null = null;

  constructor(private readonly url: string) {}

  /** @throws Error when the connection was closed */
  send(method: string, path: string, { headers = {}, body }: HeadersAndBody = {}): Promise<Reply> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const type = text === undefined ? {} : { 'content-type': 'application/json' };
    return new Promise((resolve, reject) => {
      const outgoing = request(
        this.url + path,
        { method, agent: this.agent, headers: { ...type, ...headers } },
        (incoming) => {
          let answer = '';
          incoming.on('data', (chunk: Buffer) => (answer += chunk.toString()));
          incoming.on('error', reject);
          incoming.on('end', () =>
            resolve({
              status: incoming.statusCode ?? 0,
              connection: incoming.headers.connection,
              body: JSON.parse(answer),
            }),
          );
        },
      );
      outgoing.on('socket', (socket) => {
        this.socket ??= socket;
        if (this.socket !== socket) outgoing.destroy(new Error('the connection was closed'));
      });
      outgoing.on('error', reject);
      outgoing.end(text);
    });
  }

  /** Which of these processes has accepted the connection; null if none of them has. */
  ownerAmong(pids: readonly number[]): number | null {
    const inode = acceptedInode(this.socket?.localPort ?? 0, this.socket?.remotePort ?? 0);
    return pids.find((pid) => inode !== null && socketInodes(pid).has(inode)) ?? null;
  }

  close(): void {
    this.agent.destroy();
  }
}

/** Opens a connection to each of these processes. @throws Error when a process was not reached */
export async function connectionToEach(
  url: string,
  pids: readonly number[],
): Promise<Connection[]> {
  const connections = new Map<number, Connection>();
  for (let count = 0; count < MAX_CONNECTIONS && connections.size < pids.length; count += 1) {
    const connection = new Connection(url);
    await connection.send('GET', '/health/live');
    const owner = connection.ownerAmong(pids);
    if (owner === null || connections.has(owner)) connection.close();
    else connections.set(owner, connection);
  }
  return pids.map((pid) => {
    const connection = connections.get(pid);
    if (!connection) throw new Error(`${MAX_CONNECTIONS} connections, and none to process ${pid}`);
    return connection;
  });
}

/** Inode of the server's end of a connection (proc_net_tcp(5)); null if the server has not accepted it. */
function acceptedInode(clientPort: number, serverPort: number): string | null {
  const rows = readFileSync('/proc/self/net/tcp', 'utf8').trim().split('\n').slice(1);
  const row = rows
    .map((line) => line.trim().split(/\s+/))
    .find(
      ([, local = '', remote = '']) =>
        portOf(local) === serverPort && portOf(remote) === clientPort,
    );
  return row?.[9] ?? null;
}

function portOf(address: string): number {
  return Number.parseInt(address.split(':')[1] ?? '', 16);
}

/** Whether connections are refused. */
export async function isClosed(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const isRefused = await once(socket, 'connect').then(
    () => false,
    () => true,
  );
  socket.destroy();
  return isRefused;
}

/**
 * Sends the headers of a request, waits until the server has read them, and sends the body without its last byte.
 *
 * @returns a function that sends the last byte and returns the response as text
 */
export async function beginRequest(
  url: string,
  path: string,
  apiKey: string,
  content: unknown,
): Promise<() => Promise<string>> {
  const { hostname, port } = new URL(url);
  const body = Buffer.from(JSON.stringify(content));
  const socket = connect(Number(port), hostname);
  const head = [
    `POST ${path} HTTP/1.1`,
    `host: ${hostname}`,
    `x-api-key: ${apiKey}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    'expect: 100-continue',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  // "100 Continue" shows that the server has the headers.
  await once(socket, 'data');
  socket.write(body.subarray(0, -1));
  return async () => {
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    const closed = once(socket, 'close');
    socket.write(body.subarray(-1));
    await closed;
    return answer;
  };
}
