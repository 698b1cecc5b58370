import { setTimeout as wait } from 'node:timers/promises';
import { openNewsroom } from '../../support/newsroom.ts';
import { isInTime } from '../../support/timing.ts';
import { cycled, randomOf, shuffled } from '../../support/statistics.ts';
import { startTestbed, type Testbed, type TestbedOptions } from '../testbed/testbed.ts';
import { Client, create, Ledger, time } from '../testbed/client.ts';
import {
  DISTURBANCES,
  PRIMARY_KILLED,
  REPLIES_LOST,
  SERVER_KILLED,
  STEPPED_DOWN,
  type Disturbance,
} from '../testbed/disturbances.ts';
import { chooseSeed, type Form } from '../program.ts';
import { publish, Published } from '../shown/publisher.ts';
import { read, Seen } from '../shown/readers.ts';
import { compare, type Comparison } from './comparison.ts';
import { Prober, type FaultTime } from './prober.ts';
import { insertsInto, messagesTo } from './probes.ts';
import { startReceiver } from './receiver.ts';
import { readStored } from './stored.ts';
import { merged, write, type Written } from './writer.ts';

const PLANS: Readonly<Record<Form, { faults: readonly Disturbance[]; writes: number }>> = {
  reduced: { faults: [PRIMARY_KILLED, STEPPED_DOWN, SERVER_KILLED, REPLIES_LOST], writes: 1_000 },
  short: { faults: [...DISTURBANCES, PRIMARY_KILLED, STEPPED_DOWN], writes: 5_000 },
  long: { faults: Array.from({ length: 7 }, () => DISTURBANCES).flat(), writes: 100_000 },
};
const PEOPLE = { writers: 10, publishers: 4, readersAServer: 2 };
/** Milliseconds without a fault between two faults. */
const QUIET_MS = 1_500;
const WEBHOOK_MS = 90_000;
const READ_MS = 90_000;
const DATABASE = 'pressroom';
/** Milliseconds after the start of a run in which writers schedule publications. Each is due a minute later. */
const SCHEDULES_FOR_MS: Readonly<Record<Form, number>> = {
  reduced: 3_000,
  short: 60_000,
  long: 600_000,
};

export interface Run {
  readonly seed: number;
  readonly faults: readonly FaultTime[];
  readonly ledger: Ledger;
  readonly written: Written;
  readonly comparison: Comparison;
  readonly prober: Prober;
  /** The prober that writes with MongoDB's driver alone, at the same times. */
  readonly driver: Prober;
  /** Answers that no client should get, with what the server has logged about them. */
  readonly complaints: readonly string[];
  /** Events for which no webhook call was received. */
  readonly undelivered: readonly string[];
  readonly published: Published;
  readonly seen: Seen;
  readonly serverErrors: readonly string[];
}

let sharedRun: Promise<Run> | undefined;

/** Runs the faults. The programs `writes` and `shown` share one run. */
export function runOnce(form: Form): Promise<Run> {
  return (sharedRun ??= runPlan(form));
}

function runPlan(form: Form): Promise<Run> {
  const { faults, writes } = PLANS[form];
  const seed = chooseSeed();
  return runFaults({
    faults: shuffled(faults, seed),
    writes,
    seed,
    schedulesForMs: SCHEDULES_FOR_MS[form],
  });
}

export interface FaultPlan {
  /** The faults, in their order. */
  readonly faults: readonly Disturbance[];
  /** Minimum number of acknowledged writes. */
  readonly writes: number;
  readonly seed: number;
  /** Milliseconds after the start of a run in which writers schedule publications. Each is due a minute later. */
  readonly schedulesForMs: number;
  readonly testbed?: TestbedOptions;
  /** Number of users of each kind. Each sends one request at a time. */
  readonly people?: typeof PEOPLE;
  /** Prepares an additional load before the writers begin. @returns a function that runs it while they write */
  readonly prepareLoad?: (testbed: Testbed) => Promise<(isOver: () => boolean) => Promise<unknown>>;
}

/** Writes and reads during the faults, and then compares what was acknowledged with what is stored. */
export async function runFaults(plan: FaultPlan): Promise<Run> {
  const { faults: planned, writes: wanted, seed, people = PEOPLE } = plan;
  const testbed = await startTestbed(plan.testbed);
  const ledger = new Ledger();
  const [one, other] = testbed.servers.map(({ url }) => new Client(url, ledger)) as [
    Client,
    Client,
  ];
  const balanced = new Client(testbed.balancer.url, ledger);
  const clients = [one, other, balanced];
  const tokens = await openNewsroom(testbed.servers[0].call, 'writer@faults.example');
  const receiver = await startReceiver();
  const webhook = { url: receiver.url, events: ['*'] };
  await create(() => one, { path: '/admin/webhooks', token: tokens.admin, body: webhook });

  const load = await plan.prepareLoad?.(testbed);
  const random = randomOf(seed);
  const pick = () => cycled(clients, Math.floor(random() * clients.length));
  const startedAt = performance.now();
  let hasEnded = false;
  const isOver = () => hasEnded;
  const maySchedule = () => performance.now() - startedAt < plan.schedulesForMs;
  const published = new Published();
  const seen = new Seen();
  const prober = new Prober(messagesTo([one, other]));
  const driver = new Prober(insertsInto(testbed.uri));
  const writers = Array.from({ length: people.writers }, (_, at) =>
    write({ name: `w${at}`, pick, tokens, isOver, maySchedule }),
  );
  const otherTasks = [
    ...(load ? [load(isOver)] : []),
    prober.run(isOver),
    driver.run(isOver),
    ...Array.from({ length: people.publishers }, (_, at) =>
      publish(published, { marker: `shown${at}x`, clients: [one, other], tokens, isOver }),
    ),
    ...[one, other].flatMap((client) =>
      Array.from({ length: people.readersAServer }, () =>
        read(seen, published, { client, isOver }),
      ),
    ),
  ];

  const faults: FaultTime[] = [];
  try {
    for (const [at, { name, run }] of planned.entries()) {
      await wait(QUIET_MS);
      const faultAt = performance.now();
      console.error(`${time()} ${name}, ${ledger.acknowledged.length} writes`);
      await run({ testbed, ledger, clients, at });
      await testbed.heal();
      const healedAt = performance.now();
      faults.push({ name, at: faultAt, healedAt });
      // In this pause clients send requests on connections that were reset, and so notice the reset.
      await wait(QUIET_MS);
      ledger.mayLose = false;
      const minimum = (wanted * (at + 1)) / planned.length;
      while (ledger.acknowledged.length < minimum) await wait(100);
    }
  } finally {
    hasEnded = true;
  }
  const writtenByWriters = await Promise.all(writers);
  await Promise.all(otherTasks);
  const probeMessages = prober.probes
    .filter(({ result }) => result === '200')
    .map(({ message }) => message);
  const writtenByOthers = { articles: published.articles, messages: probeMessages, scheduled: [] };
  const written = merged([...writtenByWriters, { ...writtenByOthers, errors: published.errors }]);
  await untilDue(written);
  const primary = await testbed.replicaSet.primary();
  const stored = await primary.withClient(
    (connection) => readStored(connection.db(DATABASE), one, tokens.admin),
    READ_MS,
  );
  return {
    seed,
    faults,
    ledger,
    written,
    prober,
    driver,
    published,
    seen,
    comparison: compare(written, stored),
    undelivered: await undelivered(stored.events, receiver.received),
    complaints: ledger.complaints.map((complaint) => withLog(complaint, testbed)),
    serverErrors: errorsOf(testbed),
  };
}

/** @returns the complaint with what the server has logged about that request */
function withLog(complaint: string, { servers }: Testbed): string {
  const [, id] = /\(([^()]+)\)$/.exec(complaint) ?? [];
  if (id === undefined) return complaint;
  const lines = servers.flatMap(({ readLog }) =>
    readLog()
      .split('\n')
      .filter((line) => line.includes(`"${id}"`)),
  );
  return [complaint, ...lines].join('\n    ');
}

/** Waits until 4 seconds after the last scheduled publication is due. The server makes it within 2 seconds. */
async function untilDue({ scheduled }: Written): Promise<void> {
  const last = Math.max(0, ...scheduled.map(({ publishAt }) => publishAt.getTime()));
  await wait(Math.max(0, last + 4_000 - Date.now()));
}

async function undelivered(
  events: readonly { readonly id: string }[],
  received: ReadonlyMap<string, number>,
): Promise<string[]> {
  const missing = () => events.filter(({ id }) => !received.has(id)).map(({ id }) => id);
  await isInTime(() => missing().length === 0, { withinMs: WEBHOOK_MS, everyMs: 250 });
  return missing();
}

/** @returns uncaught errors and fatal ones from the logs of the servers; no fault explains these */
function errorsOf({ servers }: Testbed): string[] {
  return servers.flatMap(({ name, readLog }) =>
    readLog()
      .split('\n')
      .filter((line) => /"level":60|unhandled|uncaught/i.test(line))
      .map((line) => `${name}: ${line.slice(0, 500)}`),
  );
}
