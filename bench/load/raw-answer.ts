import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

const TIMEOUT_MS = 10_000;

export interface RawAnswer {
  readonly status: number;
  /** The headers in the order in which they were sent, with names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** Number of bytes of the whole answer. */
  readonly size: number;
}

/** Reads one answer over a connection of its own, to compare servers and to count bytes. */
export async function rawAnswer(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawAnswer> {
  const agent = new Agent({ keepAlive: true });
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const sent = request(`${url}${path}`, { agent, headers, signal }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const { rawHeaders, socket, statusCode = 0 } = response;
    const body = await buffer(response);
    const pairs = Array.from({ length: rawHeaders.length / 2 }, (_, at): [string, string] => [
      (rawHeaders[2 * at] ?? '').toLowerCase(),
      rawHeaders[2 * at + 1] ?? '',
    ]);
    return { status: statusCode, headers: pairs, body, size: socket.bytesRead };
  } finally {
    agent.destroy();
  }
}
