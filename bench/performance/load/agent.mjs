import { Agent, request } from 'node:http';

const TIMEOUT_MS = 30_000;

/** Connections to one server that are kept open. */
export class Connections {
  #agent;
  #url;
  #deadlineMs;

  /** @param deadlineMs for an answer from when it is asked for, the wait for a connection included */
  constructor(url, count, { deadlineMs } = {}) {
    this.#url = new URL(url);
    this.#deadlineMs = deadlineMs;
    this.#agent = new Agent({ keepAlive: true, maxSockets: count, maxFreeSockets: count });
  }

  /** @returns status and body of the answer */
  send({ method = 'GET', path, headers = {}, body }) {
    return new Promise((resolve, reject) => {
      const outgoing = request(
        {
          host: this.#url.hostname,
          port: this.#url.port,
          agent: this.#agent,
          timeout: TIMEOUT_MS,
          signal:
            this.#deadlineMs === undefined ? undefined : AbortSignal.timeout(this.#deadlineMs),
          method,
          path,
          headers:
            body === undefined
              ? headers
              : {
                  'content-type': 'application/json',
                  'content-length': Buffer.byteLength(body),
                  ...headers,
                },
        },
        (response) => {
          const chunks = [];
          response.on('data', (chunk) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () =>
            resolve({ status: response.statusCode, body: Buffer.concat(chunks).toString() }),
          );
        },
      );
      outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer to ${path}`)));
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  close() {
    this.#agent.destroy();
  }
}

/** Counts what went wrong, and keeps the first. */
export class Problems {
  count = 0;
  sample = '';

  add(text) {
    this.count += 1;
    this.sample ||= text;
  }
}
