import { once } from 'node:events';
import { connect } from 'node:net';

const TIMEOUT_MS = 10_000;

export interface RawAnswer {
  readonly status: number;
  /** As sent. */
  readonly headerLines: readonly string[];
  readonly body: Buffer;
  /** Bytes of all of it. */
  readonly size: number;
}

/** One answer as it came over the wire, to compare servers byte for byte and to count bytes. */
export async function rawAnswer(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawAnswer> {
  const { hostname, port, host } = new URL(url);
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error(`no answer to ${path}`)));
  await once(socket, 'connect');
  socket.write([`GET ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
  let received = Buffer.alloc(0);
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    received = Buffer.concat([received, chunk]);
    const answer = parseAnswer(received);
    if (answer !== null) {
      socket.destroy();
      return answer;
    }
  }
  throw new Error(`the answer to ${path} broke off after ${received.length} bytes`);
}

/** @returns null while some of it is missing */
function parseAnswer(received: Buffer): RawAnswer | null {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [statusLine = '', ...headerLines] = received.toString('latin1', 0, end).split('\r\n');
  const status = Number(statusLine.split(' ')[1]);
  const [length] = headerLines.flatMap((line) => /^content-length: (\d+)$/i.exec(line)?.[1] ?? []);
  const hasBody = status !== 304 && status !== 204;
  if (hasBody && length === undefined) throw new Error('an answer without content-length');
  const size = end + 4 + (hasBody ? Number(length) : 0);
  if (received.length < size) return null;
  return { status, headerLines, body: received.subarray(end + 4, size), size };
}
