import { Agent, request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';

const TIMEOUT_MS = 30_000;

export interface Request {
  readonly method?: string;
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export function signInRequest(
  { email, password }: { readonly email: string; readonly password: string },
  headers: OutgoingHttpHeaders,
): Request {
  const body = JSON.stringify({ email, password });
  return { method: 'POST', path: '/auth/signin/basic', headers, body };
}

/** A pool of connections to one server that are kept open. */
export class Connections {
  readonly #agent: Agent;
  readonly #url: URL;
  readonly #deadlineMs: number | undefined;

  /** @param deadlineMs milliseconds from the call of `send` to the end of the answer, after which `send` fails */
  constructor(url: string, count: number, deadlineMs?: number) {
    this.#url = new URL(url);
    this.#deadlineMs = deadlineMs;
    this.#agent = new Agent({ keepAlive: true, maxSockets: count, maxFreeSockets: count });
  }

  send({ method = 'GET', path, headers = {}, body }: Request): Promise<Answer> {
    const bodyHeaders =
      body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const signal = this.#deadlineMs === undefined ? null : AbortSignal.timeout(this.#deadlineMs);
    return new Promise((resolve, reject) => {
      const outgoing = request(
        {
          host: this.#url.hostname,
          port: this.#url.port,
          agent: this.#agent,
          timeout: TIMEOUT_MS,
          method,
          path,
          headers: { ...bodyHeaders, ...headers },
          ...(signal && { signal }),
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(chunks).toString(),
            }),
          );
        },
      );
      outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer to ${path}`)));
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
