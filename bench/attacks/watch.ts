import { setTimeout as wait } from 'node:timers/promises';
import { countConnections } from '../support/machine/processes.ts';
import type { Pressroom } from '../support/servers/pressroom.ts';
import { ATTACKERS_ADDRESS } from './kinds/held-connections.ts';

const SAMPLE_MS = 100;
/**
 * Milliseconds between two counts of the connections. Connections are counted less often than memory is sampled,
 * because a count takes about 60 ms when thousands of connections have just ended: ten counts a second took so much
 * of the core that MongoDB did not answer for seconds, and reads failed.
 */
const COUNT_MS = 500;
/** Milliseconds after which the server has freed the memory of closed connections. */
const SETTLE_MS = 1_000;
/** Resident memory in MB at which the server is killed, so that it does not take all memory of the machine. */
const MOST_MEGABYTES = 6_000;
/** Seconds after which all connections have been opened. From then on a count of 0 means that all have been cut. */
const OPENED_SECONDS = 2;

/** Measures the memory of a server during an attack, and counts the connections that it still holds. */
export class Watch {
  readonly #server: Pressroom;
  readonly #countsConnections: boolean;
  readonly #startedAt = performance.now();
  readonly #timers: NodeJS.Timeout[];
  /** Resident memory of the server in MB. */
  readonly #rss: { before: number; most: number; after: number };
  /** Number of connections that the server holds, and seconds until none was left (NaN while some are left). */
  readonly #cut = { left: 0, lastSeconds: NaN };

  constructor(server: Pressroom, { countsConnections }: { countsConnections: boolean }) {
    this.#server = server;
    this.#countsConnections = countsConnections;
    const before = this.#server.residentMegabytes();
    this.#rss = { before, most: before, after: NaN };
    this.#timers = [setInterval(() => this.#sample(), SAMPLE_MS)];
    if (countsConnections) this.#timers.push(setInterval(() => this.#count(), COUNT_MS));
  }

  /**
   * Resolves when the server holds no connection of the attackers any more or has ended, at the latest
   * `patienceSeconds` after the watch was created.
   */
  async untilCut(patienceSeconds: number): Promise<void> {
    while (this.#server.isRunning && this.#seconds() < patienceSeconds) {
      if (this.#seconds() > OPENED_SECONDS && this.#cut.left === 0) return;
      await wait(SAMPLE_MS);
    }
  }

  async end() {
    for (const timer of this.#timers) clearInterval(timer);
    if (this.#countsConnections) await wait(SETTLE_MS);
    this.#rss.after = this.#server.residentMegabytes();
    return { rss: this.#rss, cut: this.#cut };
  }

  #seconds(): number {
    return (performance.now() - this.#startedAt) / 1_000;
  }

  #sample(): void {
    const resident = this.#server.residentMegabytes();
    if (resident > this.#rss.most) this.#rss.most = resident;
    if (resident > MOST_MEGABYTES) process.kill(this.#server.pid, 'SIGKILL');
  }

  #count(): void {
    if (!this.#server.isRunning) return;
    const left = countConnections(ATTACKERS_ADDRESS, this.#server.port);
    const hasNoTime = this.#seconds() > OPENED_SECONDS && Number.isNaN(this.#cut.lastSeconds);
    if (left > 0) this.#cut.lastSeconds = NaN;
    else if (this.#cut.left > 0 || hasNoTime) this.#cut.lastSeconds = this.#seconds();
    this.#cut.left = left;
  }
}
