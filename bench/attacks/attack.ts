import type { Pressroom } from '../support/servers/pressroom.ts';
import type { Content } from './content.ts';
import type { Form, Threshold } from './thresholds.ts';

/** A server that is attacked. */
export interface Target {
  readonly server: Pressroom;
  readonly content: Content;
  /** What is in use after a collection, in MB; NaN when the server does not say it. */
  heapMegabytes(): Promise<number>;
}

/** What an attack is made with, beside a reader of one cached article. */
export interface Attack {
  readonly name: string;
  /** URL of its module, whose `client` (load/client-process.ts) sends what the attackers send. */
  readonly module: string;
  /** How often it is made. */
  readonly rounds: Readonly<Record<Form, number>>;
  /** The shortest time of a round. */
  readonly seconds: Readonly<Record<Form, number>>;
  /** How long to wait until the server has cut connections that stay. */
  readonly patienceSeconds?: Readonly<Record<Form, number>>;
  /** What `client` gets, beside `url`. */
  job(content: Content): object;
  /** What is asked for. */
  thresholds(form: Form): readonly Threshold[];
}
