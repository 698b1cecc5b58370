import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownFolder } from './clean-up.mjs';
import { closedLoop } from './load/closed-loop.mjs';
import { openLoop } from './load/open-loop.mjs';
import { failed, notRun } from './report.mjs';
import { measureRounds } from './rounds.mjs';
import { Servers } from './servers.mjs';

/** What a case is given, see bench/performance.mjs; and how one is run with it. */
export class Bench {
  #servers;
  #wanted = null;

  constructor({ options, mongo, world, cpus, log }) {
    Object.assign(this, { options, mongo, world, cpus, log });
    this.folder = mkdtempSync(join(tmpdir(), 'pressroom-bench-files-'));
    ownFolder(this.folder);
    this.#servers = new Servers({ cpus, mongoUri: mongo.uri, apiKey: world.apiKey });
    this.startPressroom = this.#servers.startPressroom;
    this.startBaseline = this.#servers.startBaseline;
  }

  wants = (row) => this.#wanted === null || this.#wanted.has(row);

  closedLoop = (load) => closedLoop(load, this.cpus);

  openLoop = (load) => openLoop(load, this.cpus);

  rounds = (programs) => {
    const { rounds: count, seconds } = this.options;
    return measureRounds({ count, seconds, ...programs });
  };

  /** Latencies of several servers, one after the other, by the same requests at the same rate; none in the short form. */
  atFixedRate = async ({ servers, ...load }) => {
    const { seconds, short } = this.options;
    const latencies = {};
    // Which holds ratios against a reference, and nothing else.
    if (short) return latencies;
    for (const [name, server] of Object.entries(servers)) {
      const { p50, p99, p999 } = await this.openLoop({ server, seconds, ...load });
      latencies[name] = { p50, p99, p999 };
    }
    return latencies;
  };

  /** Measures a row; one that breaks off says why, and leaves the others of its case alone. */
  attempt = async (bar, name, measure) => {
    try {
      return await measure();
    } catch (error) {
      this.log(error.stack);
      return failed(bar, name, error);
    }
  };

  /**
   * Runs a case and ends the servers that it has started.
   *
   * @param wanted names of the rows to measure; all when null
   * @returns its rows; one that says why, when it cannot be run or breaks off
   */
  async run({ name, bars, needs = {}, run }, wanted = null) {
    const { count } = this.world;
    if (count < (needs.count ?? 0)) {
      return bars.map((bar) => notRun(bar, name, `needs --count ${needs.count}`));
    }
    this.#wanted = wanted === null ? null : new Set(wanted);
    this.log(`${name} …`);
    const startedAt = performance.now();
    try {
      return await run(this);
    } catch (error) {
      this.log(error.stack);
      return bars.map((bar) => failed(bar, name, error));
    } finally {
      await this.#servers.stopAll();
      this.log(`${name}: ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
    }
  }
}
