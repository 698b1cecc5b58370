import { setTimeout as wait } from 'node:timers/promises';
import { CREDENTIALS } from '../../../scripts/support/own-server.ts';
import { Connections } from '../../load/connections.ts';
import type { Pressroom } from '../../support/servers/pressroom.ts';
import type { Sent } from './requests.ts';

const PROBE_MS = 50;

export interface Watched {
  /** Latencies of the health checks in milliseconds. */
  readonly health: readonly number[];
  /** Latencies of the reads of a cached article in milliseconds. */
  readonly cached: readonly number[];
  readonly probeProblems: readonly string[];
  /** Largest resident memory in MB. */
  readonly megabytes: number;
}

/** Sends health checks and reads of a cached article, and measures the memory of the server. */
export class Watch {
  readonly #server: Pressroom;
  readonly #path: string;
  readonly #health: number[] = [];
  readonly #cached: number[] = [];
  readonly #problems: string[] = [];
  #largestMegabytes = 0;

  /** @param path path of an article that is in the response cache */
  constructor(server: Pressroom, path: string) {
    this.#server = server;
    this.#path = path;
  }

  /** Watches until the load ends. @returns what the load reports */
  async during<Report>(load: Promise<Report>): Promise<Report> {
    const over = new AbortController();
    const watching = this.#watch(over.signal);
    try {
      return await load;
    } finally {
      over.abort();
      await watching;
    }
  }

  result(): Watched {
    return {
      health: this.#health,
      cached: this.#cached,
      probeProblems: this.#problems,
      megabytes: this.#largestMegabytes,
    };
  }

  async #watch(over: AbortSignal): Promise<void> {
    const connections = new Connections(this.#server.url, 64, 10_000);
    for (let at = 0; !over.aborted; at += 1) {
      this.#largestMegabytes = Math.max(this.#largestMegabytes, this.#server.residentMegabytes());
      await Promise.all([
        this.#ask(connections, at % 2 === 0 ? '/health' : '/health/ready', this.#health),
        this.#ask(connections, this.#path, this.#cached),
      ]);
      await wait(PROBE_MS);
    }
    connections.close();
  }

  async #ask(connections: Connections, path: string, latencies: number[]): Promise<void> {
    const sentAt = performance.now();
    const headers = { 'x-api-key': CREDENTIALS.apiKey };
    const answer = await connections.send({ path, headers }).catch(() => null);
    if (answer?.status === 200) latencies.push(performance.now() - sentAt);
    else this.#problems.push(`${path}: ${answer?.status ?? 'no answer'} ${answer?.body ?? ''}`);
  }
}

/** @returns the path of an article that is in the response cache from now on */
export async function cachedPath(url: string, requests: readonly Sent[]): Promise<string> {
  const [path] = requests.flatMap(({ text }) => /\/blog\/slug\/[^? ]+/.exec(text) ?? []);
  if (path === undefined) throw new Error('there is no article');
  await fetch(`${url}${path}`, { headers: { 'x-api-key': CREDENTIALS.apiKey } });
  return path;
}
