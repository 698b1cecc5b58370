import type { Pressroom } from '../support/servers/pressroom.ts';
import type { Content } from './content.ts';
import type { Form, Threshold } from './thresholds.ts';

/** The server under attack. */
export interface Target {
  readonly server: Pressroom;
  readonly content: Content;
  /** @returns the size in MB of the heap in use after a garbage collection; NaN if the server does not report it */
  heapMegabytes(): Promise<number>;
}

/** An attack. During it a reader of one cached article is measured. */
export interface Attack {
  readonly name: string;
  /** URL of the module whose `client` (load/client-process.ts) sends the requests of the attackers. */
  readonly module: string;
  /** Number of rounds. */
  readonly rounds: Readonly<Record<Form, number>>;
  /** Minimum length of a round, in seconds. */
  readonly seconds: Readonly<Record<Form, number>>;
  /** Seconds to wait at most until the server has cut the connections of the attackers. */
  readonly patienceSeconds?: Readonly<Record<Form, number>>;
  /** Makes the job for `client`. The `url` of the server is added to the job later. */
  job(content: Content): object;
  /** The thresholds for the figures of the attack. */
  thresholds(form: Form): readonly Threshold[];
}
