import { closedLoop, type ClosedLoad } from '../load/closed-loop.ts';
import type { Measure } from '../load/measure.ts';
import { openLoop, type OpenLoad } from '../load/open-loop.ts';
import type { Cpus } from '../support/machine/cpus.ts';
import { ownFolder } from '../support/program.ts';
import type { Latencies } from '../support/statistics.ts';
import { seed, type DataSet } from '../data/seed.ts';
import type { Mongo } from '../support/servers/mongo.ts';
import type { Options } from './options.ts';
import { failed, notRun, type Limit, type Row } from './report.ts';
import { measureRounds, type Program, type Programs, type Rounds } from './rounds.ts';
import { Servers, type Env, type Server } from '../support/servers/servers.ts';

/** A case. The modules of `cases/` export one or more. */
export interface Case {
  readonly name: string;
  /** Minimum of live articles; with fewer the case is "not run". */
  readonly needs: { readonly count: number };
  readonly run: (bench: Bench) => Promise<Row[]>;
}

/** Runs cases and gives them their tools. The servers that a case starts end with the case. */
export class Bench {
  readonly options: Options;
  readonly mongo: Mongo;
  readonly data: DataSet;
  readonly cpus: Cpus;
  /** A folder for files, which is removed at the end. */
  readonly folder = ownFolder().folder;
  readonly startPressroom: Servers['startPressroom'];
  readonly startBaseline: Servers['startBaseline'];
  readonly #servers: Servers;
  #otherBuildUri: string | null = null;
  #wanted: ReadonlySet<string> | null = null;

  constructor(given: { options: Options; mongo: Mongo; data: DataSet; cpus: Cpus }) {
    this.options = given.options;
    this.mongo = given.mongo;
    this.data = given.data;
    this.cpus = given.cpus;
    const { uri: mongoUri } = given.mongo;
    this.#servers = new Servers({ cpus: given.cpus, mongoUri, apiKey: given.data.apiKey });
    this.startPressroom = this.#servers.startPressroom;
    this.startBaseline = this.#servers.startBaseline;
  }

  /** Whether the row is measured now. The short form, and each repetition in it, measures some rows only. */
  wants(row: string): boolean {
    return this.#wanted === null || this.#wanted.has(row);
  }

  /** The limit for a ratio to the baseline. If the baseline is another build, it is enough to be as fast. */
  limitOf(limit: Limit): Limit {
    return this.options.baseline === null ? limit : { kind: 'no-worse', value: 1 };
  }

  /**
   * Starts the other build that `--baseline` names, on a database of its own with the same articles.
   * @returns null when the baseline is a minimal program
   */
  async startOtherBuild(env: Env = {}): Promise<Server | null> {
    const { articles: articlesFile, baseline, baselineCount: count } = this.options;
    if (baseline === null) return null;
    if (this.#otherBuildUri === null) {
      this.#otherBuildUri = this.mongo.uriOf('former');
      await seed(this.#otherBuildUri, { count, articlesFile });
    }
    return this.startPressroom({ ...env, MONGODB_URI: this.#otherBuildUri }, baseline);
  }

  closedLoop(load: ClosedLoad): Promise<Measure> {
    return closedLoop(load, this.cpus);
  }

  openLoop(load: OpenLoad): Promise<Measure & { late99: number }> {
    return openLoop(load, this.cpus);
  }

  /** Measures two programs alternately, in the number of rounds that the options say. */
  rounds<M extends Record<string, number> & { rate: number }>(programs: {
    ours: Program<M>;
    baseline: Program<M>;
    of?: Programs<M>['of'];
  }): Promise<Rounds<M>> {
    const { rounds: count, seconds } = this.options;
    return measureRounds({ of: 'rate', ...programs }, { count, seconds });
  }

  /**
   * Measures two servers alternately, and then the latencies of each at a fixed rate. The short form leaves out the
   * latencies, because it compares only ratios.
   */
  async compare(
    servers: Readonly<Record<'ours' | 'baseline', Server>>,
    load: (server: Server) => Program<Measure>,
    atFixedRate: (server: Server) => Omit<OpenLoad, 'server' | 'seconds'>,
  ) {
    const { seconds, short } = this.options;
    const programs = { ours: load(servers.ours), baseline: load(servers.baseline) };
    const { ours, baseline, ratio, spread } = await this.rounds(programs);
    if (short) return { ours, baseline, ratio, spread };
    const latencies = async (server: Server): Promise<Latencies> => {
      const { p50, p99, p999 } = await this.openLoop({ server, seconds, ...atFixedRate(server) });
      return { p50, p99, p999 };
    };
    return {
      ours: { ...ours, ...(await latencies(servers.ours)) },
      baseline: { ...baseline, ...(await latencies(servers.baseline)) },
      ratio,
      spread,
    };
  }

  /** Measures a row. If that fails, the row contains the reason, and the other rows of the case are still measured. */
  async attempt(name: string, measure: () => Promise<Row>): Promise<Row> {
    try {
      return await measure();
    } catch (error) {
      console.error(error);
      return failed(name, error);
    }
  }

  /**
   * Runs a case and ends the servers that it has started.
   * @param wanted names of the rows to measure; all if left out
   * @returns the rows of the case; if it cannot run or fails, a single row with the reason
   */
  async run(one: Case, wanted?: readonly string[]): Promise<Row[]> {
    const { name, needs, run } = one;
    if (this.data.count < needs.count) {
      return [notRun(name, `needs --count ${needs.count}`)];
    }
    this.#wanted = wanted === undefined ? null : new Set(wanted);
    console.error(`${name} …`);
    const startedAt = performance.now();
    try {
      return await run(this);
    } catch (error) {
      console.error(error);
      return [failed(name, error)];
    } finally {
      await this.#servers.stopAll();
      console.error(`${name}: ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
    }
  }
}
