import { generateKeyPairSync } from 'node:crypto';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Types, type mongo } from 'mongoose';
import { LoadLimit } from '../../src/platform/overload/load-limit.js';
import { createApp } from '../../src/app.js';
import { BackgroundService } from '../../src/platform/jobs/background.service.js';
import { validateEnv, type Env } from '../../src/platform/config/env.js';
import { Lease } from '../../src/platform/caching/lease.js';
import { CacheCoherenceService } from '../../src/platform/caching/cache-coherence.service.js';
import { createMetrics } from '../../src/platform/metrics/create-metrics.js';
import { MetricsServer } from '../../src/platform/metrics/metrics-server.js';
import { drainApp } from '../../src/cli/stop-serving.js';
import { SetupService } from '../../src/cli/setup/setup.service.js';
import { atEnd } from './clean-up.js';
import { Client } from './client.js';
import { Contract, type OpenApiDocument } from './checks/contract.js';
import { PASSWORD } from './factories.js';
import { expectNoSecrets } from './checks/log-secrets.js';
import { connect, freshDatabaseUri } from './mongo/mongo.js';
import { PlanRecorder } from './query-plans/plan-recorder.js';
import { SERVER_NAME } from './query-plans/profiler.js';

/** The cost of bcrypt without BCRYPT_COST. At the lowest cost of the setting, a hash takes 30 times as long. */
const TEST_COST = 5;

export const API_KEY = 'the-key-of-the-tests';

/** One key pair for the test file, because generating a pair takes longer than most tests. */
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

export interface TestApp {
  readonly app: NestFastifyApplication;
  readonly env: Env;
  readonly url: string;
  readonly uri: string;
  readonly db: mongo.Db;
  /** Carries the API key and no token. */
  readonly client: Client;
  /** The JSON lines that the server has logged so far. */
  readonly log: readonly string[];
  /** Where the metrics are served; null without METRICS_PORT. */
  readonly metricsUrl: string | null;
  /**
   * Call it after a direct edit of the database that the next request must see. The server empties its
   * caches, and serves nothing from them until a heartbeat has returned through its change stream.
   */
  invalidateCaches(): void;
  /** Checks the server's queries against their bounds; null if indexes are missing. */
  readonly plans: PlanRecorder | null;
  /**
   * Closes the server; otherwise it is closed after the tests of the file.
   *
   * @throws Error when the log contains a secret, or a query has exceeded its bounds
   */
  close(): Promise<void>;
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Start on this database instead of a fresh one. */
  readonly uri?: string;
  /** Run the background jobs; otherwise nothing changes the database but requests and the test. */
  readonly background?: boolean;
}

/**
 * Starts a server on a free port of 127.0.0.1 with a new database, in which API_KEY is valid. The server
 * is closed after the tests of the file.
 */
export async function startApp({
  env: overrides = {},
  uri = freshDatabaseUri(),
  background = false,
}: StartOptions = {}): Promise<TestApp> {
  const settings = validateEnv({
    NODE_ENV: 'test',
    PORT: '0',
    MONGODB_URI: monitored(uri),
    JWT_PRIVATE_KEYS: privateKey,
    // Most tests sign up and sign in more often than the rate limits of a client prefix allow.
    RATE_LIMITS: 'off',
    // Without SITE_URL, feeds and sitemap are 404.
    SITE_URL: 'https://blog.example',
    // Without PUBLIC_URL, there are no passkeys.
    PUBLIC_URL: 'https://press.example',
    ...overrides,
  });
  const env = overrides['BCRYPT_COST'] ? settings : { ...settings, BCRYPT_COST: TEST_COST };
  const log: string[] = [];
  const metrics = await createMetrics(env);
  const metricsServer = metrics && (await MetricsServer.open(env, () => metrics.text()));
  const app = await createApp(env, { logStream: { write: (line) => log.push(line) }, metrics });
  // On a busy machine, the start queue must not refuse the requests of tests.
  Object.assign(app.get(LoadLimit).starts, { waitMs: () => 0 });
  let plans: PlanRecorder | null = null;
  let isClosed = false;
  const close = async (): Promise<void> => {
    isClosed = true;
    await drainApp(app, { graceMs: 1 });
    await app.close();
    await metricsServer?.close();
    const violations = (await plans?.stop()) ?? [];
    expectNoSecrets(log, { 'the API key of the tests': API_KEY, 'a password': PASSWORD });
    if (violations.length > 0) throw new Error(`queries out of bounds:\n${violations.join('\n')}`);
  };
  atEnd(() => isClosed || close());
  if (!background) await app.get(BackgroundService).beforeApplicationShutdown();
  const { isReady } = await app.get(SetupService).prepare();
  const contract = await contractOf(app, env);
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const db = (await connect(uri)).db();
  await db.collection('api_keys').updateOne(
    { key: API_KEY },
    // mongod must not make the id: it could sort after ids that this process makes later in the same second.
    { $setOnInsert: { _id: new Types.ObjectId(), status: true } },
    { upsert: true },
  );
  const client = new Client(url, contract, { 'x-api-key': API_KEY });
  // Without the indexes, the plans would exceed the bounds.
  if (isReady) plans = await PlanRecorder.start(app, uri);
  const invalidateCaches = (): void => {
    app.get(Lease).revoke();
    app.get(CacheCoherenceService).changed(null, undefined);
  };
  const metricsUrl = metricsServer?.url ?? null;
  return { app, env, url, metricsUrl, uri, db, client, log, plans, invalidateCaches, close };
}

/**
 * Adds options to the URI: the driver emits an event for each command, and the profiler knows the
 * server's commands by the name of the client.
 */
function monitored(uri: string): string {
  const url = new URL(uri);
  url.searchParams.set('monitorCommands', 'true');
  url.searchParams.set('appName', SERVER_NAME);
  return url.toString();
}

/** A contract for each value of PUBLIC_FEEDS, the only setting that changes the access to routes. */
const contracts = new Map<string, Contract>();

/** The contract is made from the code, because the setting DOCS may have switched off `/openapi.json`. */
async function contractOf(app: NestFastifyApplication, env: Env): Promise<Contract> {
  const known = contracts.get(env.PUBLIC_FEEDS);
  if (known) return known;
  const { createOpenApiDocument } = await import('../../src/openapi/openapi.js');
  const contract = new Contract(createOpenApiDocument(app) as unknown as OpenApiDocument);
  contracts.set(env.PUBLIC_FEEDS, contract);
  return contract;
}
