import { once } from 'node:events';
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';

export interface Reply {
  readonly status: number;
  // A test reads what it expects to be there.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
}

export interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Enough for chance to have reached every one of a few processes. */
const MOST_CONNECTIONS = 200;

/** One connection, and so one process of those that share a port. */
export class Line {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });
  private socket: Socket | null = null;

  constructor(private readonly url: string) {}

  /** @throws Error when it would take another connection */
  send(method: string, path: string, { headers = {}, body }: Sent = {}): Promise<Reply> {
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
            resolve({ status: incoming.statusCode ?? 0, body: JSON.parse(answer) }),
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

  /** Which of these processes has the other end; null when none of them. */
  ownerAmong(pids: readonly number[]): number | null {
    const inode = acceptedInode(this.socket?.localPort ?? 0, this.socket?.remotePort ?? 0);
    return pids.find((pid) => inode !== null && socketInodes(pid).has(inode)) ?? null;
  }

  close(): void {
    this.agent.destroy();
  }
}

/**
 * A connection to each of these processes.
 *
 * @throws Error when chance has not led to one of them
 */
export async function lineToEach(url: string, pids: readonly number[]): Promise<Line[]> {
  const lines = new Map<number, Line>();
  for (let count = 0; count < MOST_CONNECTIONS && lines.size < pids.length; count += 1) {
    const line = new Line(url);
    await line.send('GET', '/health/live');
    const owner = line.ownerAmong(pids);
    if (owner === null || lines.has(owner)) line.close();
    else lines.set(owner, line);
  }
  return pids.map((pid) => {
    const line = lines.get(pid);
    if (!line) throw new Error(`${MOST_CONNECTIONS} connections, and none to process ${pid}`);
    return line;
  });
}

/** Of the server's end of a connection (proc_net_tcp(5)); null when there is none. */
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

function socketInodes(pid: number): Set<string> {
  const links = readdirSync(`/proc/${pid}/fd`).map((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`);
    } catch {
      // Closed meanwhile.
      return '';
    }
  });
  return new Set(links.map((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? ''));
}

/** Whether nobody takes connections any more. */
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
 * A request whose last byte is missing, which the server has begun to read.
 *
 * @returns what sends that byte and waits for the answer, as text
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
  // "100 Continue" says that the server has the request.
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
