import type { Pressroom } from '../support/servers/pressroom.ts';
import type { Content } from './content.ts';
import type { Form, Threshold } from './thresholds.ts';

/** A server that is attacked. */
export interface Target {
  readonly server: Pressroom;
  readonly content: Content;
  /** Size of the heap in MB that is in use after a collection; NaN when the server does not report it. */
  heapMegabytes(): Promise<number>;
}

/** An attack that is made beside a reader of one cached article. */
export interface Attack {
  readonly name: string;
  /** URL of its module, whose `client` (load/client-process.ts) sends what the attackers send. */
  readonly module: string;
  /** Number of rounds. */
  readonly rounds: Readonly<Record<Form, number>>;
  /** Shortest time of a round, in seconds. */
  readonly seconds: Readonly<Record<Form, number>>;
  /** Seconds to wait until the server has cut connections that stay. */
  readonly patienceSeconds?: Readonly<Record<Form, number>>;
  /** Makes the job that `client` gets, beside `url`. */
  job(content: Content): object;
  /** The thresholds for the figures of the attack. */
  thresholds(form: Form): readonly Threshold[];
}
