import type { Bar, Form } from './bars.ts';
import type { Content } from './content.ts';
import * as bodies from './kinds/bodies.ts';
import * as costlyReads from './kinds/costly-reads.ts';
import * as hang from './kinds/hang.ts';
import * as pipelining from './kinds/pipelining.ts';
import * as slowConnections from './kinds/slow-connections.ts';
import * as stalledUploads from './kinds/stalled-uploads.ts';
import type { Target } from './target.ts';

/** What an attack is made with, beside a reader of one cached article. */
export interface Attack {
  readonly name: string;
  /** URL of its module, whose `client` (load/client-process.ts) sends what the attackers send. */
  readonly module: string;
  /** As in nice(1); behind the reader unless told. */
  readonly priority?: number;
  readonly rounds: Readonly<Record<Form, number>>;
  /** Of a round, at least. */
  readonly seconds: Readonly<Record<Form, number>>;
  /** For connections that stay: how long to wait until the server has cut them. */
  readonly patienceSeconds?: Readonly<Record<Form, number>>;
  /** What `client` gets, beside `url`. */
  job(content: Content): object;
  /** What this process does during the attack. @returns how long the server needed to recover */
  meanwhile?(server: Target): Promise<number>;
  /** What is asked for. */
  bars(form: Form): readonly Bar[];
}

/** In this order: memory first, because the short form uses one server for all of them. */
export const ATTACKS: readonly Attack[] = [
  ...pipelining.ATTACKS,
  ...stalledUploads.ATTACKS,
  ...slowConnections.ATTACKS,
  ...bodies.ATTACKS,
  ...costlyReads.ATTACKS,
  ...hang.ATTACKS,
];
