import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

const MAX_CONNECTIONS = 64;
const TIMEOUT_MS = 10_000;

/**
 * Readers who come at a fixed rate, whether or not those before them have been served: a server that
 * stalls makes the next ones wait, and their wait counts.
 */
export class Readers {
  #agent = new Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS });
  #url;
  #headers;
  #perSecond;

  constructor(url, apiKey, perSecond) {
    this.#url = url;
    this.#headers = { 'x-api-key': apiKey };
    this.#perSecond = perSecond;
  }

  /** @returns the latencies in milliseconds, from when each was due, and how many failed */
  async read(forMs) {
    const latencies = [];
    const reads = [];
    let failed = 0;
    const startedAt = performance.now();
    const count = Math.round((forMs / 1_000) * this.#perSecond);
    for (let index = 0; index < count; index += 1) {
      const due = startedAt + (index / this.#perSecond) * 1_000;
      const early = due - performance.now();
      if (early > 1) await wait(early);
      const read = this.#readOne().then(
        () => latencies.push(performance.now() - due),
        () => (failed += 1),
      );
      reads.push(read);
    }
    await Promise.all(reads);
    return { latencies, failed };
  }

  close() {
    this.#agent.destroy();
  }

  #readOne() {
    return new Promise((resolve, reject) => {
      const options = { agent: this.#agent, headers: this.#headers, timeout: TIMEOUT_MS };
      const outgoing = request(this.#url, options, (response) => {
        response.resume();
        response.on('error', reject);
        response.on('end', () => {
          if (response.statusCode === 200) resolve();
          else reject(new Error(`status ${response.statusCode}`));
        });
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error('no answer')));
      outgoing.on('error', reject);
      outgoing.end();
    });
  }
}

/** Nearest rank; 0 is the least, 1 the most. NaN of nothing. */
export function percentile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}
