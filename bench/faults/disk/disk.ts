import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type mongoose from 'mongoose';
import { startOwnServer, type OwnServer } from '../../../scripts/support/own-server.ts';
import { mountDisk, unmountDisk } from '../../../scripts/support/small-disk.ts';
import { messageOf } from '../../../scripts/support/user-error.ts';
import { signInAdmin, signUpAuthor } from '../../support/newsroom.ts';
import { atEnd, ownFolder } from '../../support/program.ts';
import { Client, Ledger, time } from '../bed/client.ts';
import { mixedRequests, sendMixed } from '../leaks/mixed-load.ts';
import type { Fault, Form, Row } from '../program.ts';
import { zero } from '../report.ts';
import { compare } from '../writes/comparison.ts';
import { readStored } from '../writes/stored.ts';
import { merged, write } from '../writes/writer.ts';
import { FULL, READ_ONLY, until, withDatabase, type Machine, type Outage } from './outages.ts';

/** A new database takes 300 MB of it for its journal. */
const MEGABYTES = 450;
const OUTAGES: Readonly<Record<Form, readonly Outage[]>> = {
  reduced: [FULL],
  short: [FULL, READ_ONLY],
  long: Array.from({ length: 10 }, () => [FULL, READ_ONLY]).flat(),
};
const WRITERS = 4;
/** Longer than a request that waits for the database: what one outage has stopped is made before the next. */
const QUIET_MS = 6_000;
/** The longest delay before a start, the start, and the recovery of the driver. */
const BACK_MS = 40_000;

/** The disk of an embedded database fills, or cannot be written. */
export const DISK: Fault = {
  name: 'disk',
  isReduced: false,
  runsBesideOthers: true,
  async run(form) {
    let mounted: ReturnType<typeof mountedFolder>;
    try {
      mounted = mountedFolder();
    } catch (error) {
      return [
        {
          ...{ promise: 'the disk of the test is mounted', fault: 'none yet' },
          ...{ bar: 'by root', measured: 'it may not be', isKept: false },
          history: [messageOf(error)],
        },
      ];
    }
    return runOn(mounted, form);
  },
};

/** @throws Error when this user may not mount a file system */
function mountedFolder(): { readonly folder: string; readonly dataDir: string } {
  const { folder } = ownFolder();
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  mountDisk(dataDir, MEGABYTES);
  atEnd(() => unmountDisk(dataDir));
  return { folder, dataDir };
}

async function runOn(
  { folder, dataDir }: ReturnType<typeof mountedFolder>,
  form: Form,
): Promise<readonly Row[]> {
  const server = await startOwnServer({ folder, env: { ACCESS_TOKEN_TTL: '12h' } });
  atEnd(() => server.stop({ isFolderKept: true }));
  const ledger = new Ledger();
  const client = new Client(server.url, ledger);
  const { call } = server;
  const requestAt = await mixedRequests(call);
  const admin = await signInAdmin(call);
  const { token: author } = await signUpAuthor(call, 'writer@faults.example', admin);
  let isOver = false;
  // However it ends: the load would keep the program running.
  atEnd(() => (isOver = true));
  const over = () => isOver;
  const mixed = sendMixed([client], requestAt, over);
  const writers = Array.from({ length: WRITERS }, (_, at) =>
    write({
      ...{ name: `w${at}`, tokens: { admin, author }, isOver: over },
      pick: () => client,
      maySchedule: () => false,
    }),
  );
  const rows: Row[] = [];
  for (const outage of OUTAGES[form]) {
    await wait(QUIET_MS);
    console.error(`${time()} ${outage.name}, ${ledger.acknowledged.length} writes`);
    rows.push(...(await goThrough(outage, { server, dataDir, client }, ledger)));
  }
  await wait(QUIET_MS);
  isOver = true;
  const written = merged(await Promise.all(writers));
  const count = ledger.acknowledged.length;
  const answers = [...ledger.statuses.values()].reduce((sum, one) => sum + one, 0);
  await mixed;
  return withDatabase(server, async (database) => {
    const { lost, doubled, revisions, events } = compare(
      written,
      await readStored(database, client, admin),
    );
    const { names, invalid } = await validate(database);
    const all = `${OUTAGES[form].length} outages`;
    const ended = server.isRunning() ? [] : ['it has ended'];
    return [
      ...rows,
      zero('no acknowledged write is lost', all, [...lost, ...written.errors], count),
      zero('what is repeated with a key is made once', all, doubled, count),
      zero('each move has one revision', all, revisions, count),
      zero('each move has one event, in order', all, events, count),
      zero('every collection is valid', all, invalid, names.length),
      zero('refusals are 503 with Retry-After', all, ledger.complaints, answers),
      zero('every error of the server is handled', all, uncaughtOf(server), answers),
      zero('the server does not end', all, ended, 1),
    ];
  });
}

/** Lets an outage happen and mends it. @returns when writes are acknowledged again */
async function goThrough(
  outage: Outage,
  machine: Machine,
  { statuses, acknowledged }: Ledger,
): Promise<Row[]> {
  const { name, causes } = outage;
  const { server, client } = machine;
  const logFrom = server.readLog().length;
  const log = () => server.readLog().slice(logFrom);
  const refused = () => statuses.get('503') ?? 0;
  const refusedBefore = refused();
  await outage.begin(machine);
  await until('the causes in the log', () => causes.every((cause) => cause.test(log()))).catch(
    () => undefined,
  );
  const health = await client.send({ path: '/health' });
  const refusals = refused() - refusedBefore;
  outage.mend(machine);
  const mendedAt = performance.now();
  const before = acknowledged.length;
  await until('a write', () => acknowledged.length > before, 2 * BACK_MS);
  const backMs = Math.round(performance.now() - mendedAt);
  const saidCauses = causes.filter((cause) => cause.test(log())).length;
  const status = health.kind === 'answered' ? health.status : 'lost';
  return [
    {
      ...{ promise: 'what cannot be done is refused', fault: name },
      bar: '503, of /health as well',
      measured: `${refusals}, /health ${status}`,
      isKept: refusals > 0 && status === 503,
    },
    {
      ...{ promise: 'the log names the cause, and what to do', fault: name },
      bar: `${causes.length} of ${causes.length}`,
      measured: String(saidCauses),
      isKept: saidCauses === causes.length,
      history: log()
        .split('\n')
        .filter((line) => line.includes('EmbeddedMongo')),
    },
    {
      ...{ promise: 'mongod is started again by itself', fault: name },
      bar: `first 2xx ≤ ${BACK_MS} ms`,
      measured: `${backMs} ms`,
      isKept: backMs <= BACK_MS,
    },
  ];
}

/** Reads every record and every index of every collection. */
async function validate(
  database: mongoose.mongo.Db,
): Promise<{ names: readonly string[]; invalid: readonly string[] }> {
  const collections = await database.listCollections({}, { nameOnly: true }).toArray();
  const names = collections.map(({ name }) => name).filter((name) => !name.startsWith('system.'));
  const invalid: string[] = [];
  for (const name of names) {
    const { valid, errors } = await database.command({ validate: name, full: true });
    if (valid !== true) invalid.push(`${name}: ${JSON.stringify(errors)}`);
  }
  return { names, invalid };
}

/** What no outage is a reason for: an error that nobody has caught. */
function uncaughtOf(server: OwnServer): string[] {
  return server
    .readLog()
    .split('\n')
    .filter((line) => /"level":60|unhandled|uncaught/i.test(line))
    .map((line) => line.slice(0, 500));
}
