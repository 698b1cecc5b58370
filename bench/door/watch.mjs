import { setTimeout as wait } from 'node:timers/promises';
import { countConnections, residentMegabytes } from '../slow-loris/process.mjs';
import { SLOW_ADDRESS } from '../slow-loris/slow-sockets.mjs';

const SAMPLE_MS = 100;
/** Until what the connections held is given back. */
const SETTLE_MS = 1_000;
/** No server may take all of the machine's memory: one that takes so much is ended. */
const MOST_MEGABYTES = 6_000;

/** All of them have been opened by then, and some may have been cut between two samples. */
const OPENED_SECONDS = 2;

/** Watches the memory of a server during an attack, and which connections it still holds. */
export class Watch {
  #server;
  #startedAt = performance.now();
  #timer;
  #countsConnections;
  #rss;
  /** `lastSeconds`: until none was left; NaN as long as there are some. */
  #cut = { left: 0, lastSeconds: NaN };

  constructor(server, { countsConnections }) {
    this.#server = server;
    this.#countsConnections = countsConnections;
    const before = this.#resident();
    this.#rss = { before, most: before, after: NaN };
    this.#timer = setInterval(() => this.#sample(), SAMPLE_MS);
  }

  /** Resolves when the server holds none of them any more, or has ended, or at the latest in time. */
  async untilCut(patienceSeconds) {
    while (this.#server.isRunning() && this.#seconds() < patienceSeconds) {
      if (this.#seconds() > OPENED_SECONDS && this.#cut.left === 0) return;
      await wait(SAMPLE_MS);
    }
  }

  /** @returns `rss` in MB, `cut` of the connections */
  async end() {
    clearInterval(this.#timer);
    if (this.#countsConnections) await wait(SETTLE_MS);
    this.#rss.after = this.#resident();
    return { rss: this.#rss, cut: this.#cut };
  }

  #seconds() {
    return (performance.now() - this.#startedAt) / 1_000;
  }

  #sample() {
    const resident = this.#resident();
    if (resident > this.#rss.most) this.#rss.most = resident;
    if (resident > MOST_MEGABYTES) process.kill(this.#server.pid, 'SIGKILL');
    if (this.#countsConnections && this.#server.isRunning()) this.#count();
  }

  #count() {
    const { port } = new URL(this.#server.url);
    const left = countConnections(SLOW_ADDRESS, Number(port));
    if (left > 0) this.#cut.lastSeconds = NaN;
    else if (this.#cut.left > 0 || this.#isUnseen()) this.#cut.lastSeconds = this.#seconds();
    this.#cut.left = left;
  }

  #isUnseen() {
    return this.#seconds() > OPENED_SECONDS && Number.isNaN(this.#cut.lastSeconds);
  }

  /** @returns NaN once the server has ended */
  #resident() {
    try {
      return residentMegabytes(this.#server.pid);
    } catch (error) {
      if (error.code === 'ENOENT' || error.code === 'ESRCH') return NaN;
      throw error;
    }
  }
}
