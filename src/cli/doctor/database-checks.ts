import { generateKeyPairSync } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection, mongo } from 'mongoose';
import { ApiKeyService } from '../../apikey/api-key.service.js';
import { SCOPE_NAMES } from '../../platform/http/access/key-scopes/key-scope.js';
import type { Env } from '../../platform/config/env.js';
import { UNINITIATED } from '../../platform/database/connection/connection-error.js';
import { ListCounts } from '../../blog/public/counts/list-counts.service.js';
import { MailTransport } from '../../events/mail/sending/mail-transport.service.js';
import { failureOf } from '../../events/mail/sending/sending-failure.js';
import { MigrationService } from '../../platform/database/migrations/migration.service.js';
import { UserService } from '../../user/user.service.js';
import { withApp } from '../command-line/with-app.js';
import { describeError } from '../fail-with.js';
import { fail, ok, runCheck, warn, type Check, type Finding } from './check.js';
import { diskSpace } from './disk-space.js';
import { checkPictures } from './picture-checks.js';

const OLDEST_MONGODB = 6;
/** Longest time in milliseconds that a read or write of a check may take. */
const OPERATION_MS = 3_000;
/**
 * Difference of the clocks, in milliseconds, above which schedules, sessions and signatures of
 * webhooks go wrong.
 */
const CLOCK_DIFFERENCE_MS = 1_000;
/** Largest number of missing migrations and indexes that a message names. */
const NAMED_MAX = 3;

type DatabaseCheck = (app: INestApplicationContext, env: Env) => Promise<Finding>;

const CHECKS: Readonly<Record<string, DatabaseCheck>> = {
  database: checkVersion,
  'reads and writes': checkMajority,
  clock: checkClock,
  migrations: checkMigrations,
  counts: checkCounts,
  'API keys': checkApiKeys,
  admins: checkAdmins,
  'disk of the database': checkDisk,
  mail: checkMail,
  pictures: checkPictures,
};

/**
 * Runs the checks that need the database. They leave nothing changed. If the database cannot be reached, the
 * result is one failure.
 */
export async function checkDatabase(env: Env): Promise<Check[]> {
  try {
    return await withApp(
      async (app) => {
        const checks: Check[] = [];
        for (const [name, check] of Object.entries(CHECKS)) {
          checks.push(await runCheck(name, () => check(app, env)));
        }
        return checks;
      },
      { ...env, JWT_PRIVATE_KEYS: throwawayKey() },
    );
  } catch (error) {
    return [{ name: 'database', ...fail(describeError(error)) }];
  }
}

/**
 * Generates a signing key that replaces the configured one during the checks: a wrong configured key
 * then does not end them, and a missing key is not created in `DATA_DIR`.
 */
function throwawayKey(): string {
  return generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey;
}

function databaseOf(app: INestApplicationContext): mongo.Db {
  const { db } = app.get<Connection>(getConnectionToken());
  if (!db) throw new Error('the database is not connected');
  return db;
}

async function checkVersion(app: INestApplicationContext): Promise<Finding> {
  const admin = databaseOf(app).admin();
  const { version = '' } = (await admin.buildInfo()) as { version?: string };
  const hello = (await admin.command({ hello: 1 })) as {
    setName?: string;
    msg?: string;
    isreplicaset?: boolean;
  };
  if (Number.parseInt(version, 10) < OLDEST_MONGODB) {
    return fail(`MongoDB ${version} is too old: update it to ${OLDEST_MONGODB}.0 or newer.`);
  }
  if (hello.setName !== undefined) return ok(`MongoDB ${version}, replica set ${hello.setName}`);
  if (hello.msg === 'isdbgrid') return ok(`MongoDB ${version}, sharded cluster`);
  if (hello.isreplicaset) return fail(UNINITIATED);
  return warn(
    `MongoDB ${version} is a standalone, without transactions and caches: make it a replica set of one ` +
      'member (README.md, "Your own MongoDB").',
  );
}

/** The write matches no record, so it stores nothing, but it waits for the majority like any other write. */
async function checkMajority(app: INestApplicationContext): Promise<Finding> {
  const records = databaseOf(app).collection<{ _id: string }>('migrations');
  const start = performance.now();
  await records.findOne({}, { readConcern: { level: 'majority' }, maxTimeMS: OPERATION_MS });
  await records.updateOne(
    { _id: 'no record has this id' },
    { $set: { appliedAt: new Date() } },
    { writeConcern: { w: 'majority', wtimeoutMS: OPERATION_MS } },
  );
  return ok(`confirmed by a majority in ${Math.round(performance.now() - start)} ms`);
}

async function checkClock(app: INestApplicationContext): Promise<Finding> {
  const admin = databaseOf(app).admin();
  const before = Date.now();
  const { localTime } = (await admin.command({ hello: 1 })) as unknown as { localTime: Date };
  const difference = Math.round(localTime.getTime() - (before + Date.now()) / 2);
  if (Math.abs(difference) <= CLOCK_DIFFERENCE_MS) return ok('the same as that of the database');
  return warn(
    `The clock of the database differs by ${difference} ms: set both by NTP, or schedules and sessions are off.`,
  );
}

async function checkMigrations(app: INestApplicationContext, env: Env): Promise<Finding> {
  const pending = await app.get(MigrationService).pending();
  if (pending.length === 0) return ok('all have run, and all indexes are there');
  const names = pending.slice(0, NAMED_MAX).join(', ');
  const more = pending.length > NAMED_MAX ? ` and ${pending.length - NAMED_MAX} more` : '';
  if (env.MIGRATE === 'on') return warn(`The next start adds ${names}${more}.`);
  return fail(`A server is not ready without ${names}${more}: run "npx pressroom migrate".`);
}

/** Compares as many counts as `OPERATION_MS` allows, those of all articles first. */
async function checkCounts(app: INestApplicationContext): Promise<Finding> {
  const { compared, wrong, isComplete } = await app.get(ListCounts).compare(OPERATION_MS);
  if (wrong.length > 0) {
    const names = wrong.slice(0, NAMED_MAX).join(', ');
    return warn(
      `The counts of lists are wrong (${names}): the server corrects them within an hour.`,
    );
  }
  return ok(`${isComplete ? 'all' : 'the first'} ${compared} lists have the right count`);
}

async function checkApiKeys(app: INestApplicationContext): Promise<Finding> {
  const keys = await app.get(ApiKeyService).list();
  const now = new Date();
  const valid = keys.filter(
    ({ enabled, expiresAt }) => enabled && !(expiresAt && expiresAt <= now),
  );
  const scoped = valid.filter(({ scopes }) => scopes.length < SCOPE_NAMES.length).length;
  const widened =
    scoped === 0
      ? ''
      : `; ${scoped} with scopes, which a version before scopes does not check: disable them before you go back to one`;
  if (valid.length > 0) return ok(`${valid.length} valid of ${keys.length}${widened}`);
  return warn('No client can call the server: run "npx pressroom keys create".');
}

async function checkAdmins(app: INestApplicationContext): Promise<Finding> {
  // `countEnabledWith` counts two at most.
  const admins = await app.get(UserService).countEnabledWith('ADMIN');
  if (admins > 0) return ok(admins === 1 ? 'one' : 'two or more');
  return warn(
    'No account is an enabled admin: run "npx pressroom users create EMAIL --name NAME --role ADMIN".',
  );
}

async function checkMail(app: INestApplicationContext, env: Env): Promise<Finding> {
  const transport = app.get(MailTransport);
  if (!transport.hasServer) {
    return ok(
      env.NODE_ENV === 'production'
        ? 'none is sent: SMTP_URL is not set'
        : 'shown in the log: SMTP_URL is not set',
    );
  }
  try {
    await transport.verify();
    return ok('the SMTP server answers');
  } catch (error) {
    return fail(`The SMTP server refuses (${failureOf(error).codes}): check SMTP_URL.`);
  }
}

async function checkDisk(app: INestApplicationContext): Promise<Finding> {
  const stats = await databaseOf(app).stats();
  const { fsTotalSize, fsUsedSize } = stats as { fsTotalSize?: number; fsUsedSize?: number };
  if (fsTotalSize === undefined || fsUsedSize === undefined) return ok('the database does not say');
  return diskSpace(fsTotalSize - fsUsedSize);
}
