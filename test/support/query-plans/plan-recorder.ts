import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, Server } from 'node:http';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import mongoose, { type mongo } from 'mongoose';
import { MigrationService } from '../../../src/platform/database/migrations/migration.service.js';
import { clientsOf } from '../mongo/mongo-clients.js';
import { boundOf } from './bounds.js';
import { expensiveStagesOf } from './expensive-stages.js';
import { readExecutions, switchProfilerOn, type Execution } from './profiler.js';
import { planShapeOf, statementsOf, type Statement } from './statement.js';

/** The channel on which Node reports a request whose head has been read, before any listener runs. */
const REQUEST_START = 'http.server.request.start';

/** The origin of the queries of migrations, which walk whole collections by design. */
const MIGRATION = 'a migration';
const OUTSIDE_REQUESTS = 'outside of every request';

/** Codes of MongoServerError: PrimarySteppedDown, NotWritablePrimary, NotPrimaryNoSecondaryOk. */
const NOT_PRIMARY: ReadonlySet<unknown> = new Set([189, 10_107, 13_435]);

/** How many requests a report names for a query shape. */
const MAX_REPORTED_ORIGINS = 3;
/** The maximum length of a command in a report. */
const MAX_COMMAND_LENGTH = 600;
const READ_COMMANDS = ['find', 'aggregate', 'count', 'distinct'];
/** Short, because a test may have stopped the database. */
const SERVER_SELECTION_TIMEOUT_MS = 2_000;

interface Shape {
  sentCount: number;
  explainedCount: number;
  /** The causes: requests, such as `GET /blogs/latest?page=2`, MIGRATION or OUTSIDE_REQUESTS. */
  readonly origins: Set<string>;
}

/**
 * Checks every query of a server in two ways. `explain` finds collection scans and sorts, even with few
 * records. It runs when a query shape is seen for the 1st, 2nd, 4th, 8th … time, because one execution
 * may not reach all stages of a plan. MongoDB's profiler counts the keys and documents that each
 * execution has examined; `boundOf` limits both.
 */
export class PlanRecorder {
  private readonly byShape = new Map<string, Shape>();
  private readonly violations = new Map<string, string>();
  private readonly explaining = new Set<Promise<void>>();
  private readonly origins = new AsyncLocalStorage<string>();
  private isStopped = false;
  private profiledProcessId = '';

  private constructor(
    private readonly server: Server,
    private readonly serverClients: readonly mongo.MongoClient[],
    private readonly recorderClient: mongo.MongoClient,
  ) {}

  /**
   * @param app the URI of its database contains `monitorCommands`, and SERVER_NAME as `appName`; all indexes
   * must exist
   */
  static async start(app: NestFastifyApplication, uri: string): Promise<PlanRecorder> {
    const serverClients = clientsOf(app);
    const recorderClient = await mongoose.mongo.MongoClient.connect(uri, {
      serverSelectionTimeoutMS: SERVER_SELECTION_TIMEOUT_MS,
      maxPoolSize: 2,
    });
    const recorder = new PlanRecorder(app.getHttpServer(), serverClients, recorderClient);
    recorder.markMigrations(app.get(MigrationService));
    recorder.profiledProcessId = await switchProfilerOn(recorderClient.db());
    subscribe(REQUEST_START, recorder.onRequest);
    for (const client of serverClients) client.on('commandStarted', recorder.onCommand);
    return recorder;
  }

  /** The query shapes so far, except those of migrations only, and whether their plans were explained. */
  shapes(): { shape: string; isExplained: boolean }[] {
    const sent = [...this.byShape].filter(([, { sentCount }]) => sentCount > 0);
    return sent.map(([shape, { explainedCount }]) => ({ shape, isExplained: explainedCount > 0 }));
  }

  /**
   * Ends the recording. A second call returns nothing.
   *
   * @returns a text for each query that exceeds its bounds or could not be explained, and one if a test has
   * switched off the profiler
   */
  async stop(): Promise<string[]> {
    if (this.isStopped) return [];
    this.isStopped = true;
    unsubscribe(REQUEST_START, this.onRequest);
    for (const client of this.serverClients) client.off('commandStarted', this.onCommand);
    try {
      await Promise.all(this.explaining);
      const executions = await readExecutions(this.recorderClient.db(), this.profiledProcessId);
      if (!executions) this.violations.set('profiler', 'the profiler was switched off meanwhile');
      for (const execution of executions ?? []) this.checkExecution(execution);
    } catch (error) {
      // The test has stopped its database. The plans were explained before.
      if (!isConnectionError(error)) throw error;
    } finally {
      await this.recorderClient.close();
    }
    return [...this.violations.values()];
  }

  private readonly onRequest = (message: unknown): void => {
    const { server, request } = message as { server: Server; request: IncomingMessage };
    if (server !== this.server) return;
    this.origins.enterWith(`${request.method ?? ''} ${request.url ?? ''}`);
  };

  private readonly onCommand = ({ command }: mongo.CommandStartedEvent): void => {
    const origin = this.origins.getStore() ?? OUTSIDE_REQUESTS;
    for (const statement of statementsOf(command)) this.recordStatement(statement, origin);
  };

  private recordStatement(statement: Statement, origin: string): void {
    const key = planShapeOf(statement);
    const shape = this.byShape.get(key) ?? { sentCount: 0, explainedCount: 0, origins: new Set() };
    this.byShape.set(key, shape);
    if (shape.origins.size <= MAX_REPORTED_ORIGINS) shape.origins.add(origin);
    if (origin === MIGRATION) return;
    shape.sentCount += 1;
    if (!isPowerOfTwo(shape.sentCount)) return;
    const explaining = this.explain(statement, key, shape);
    this.explaining.add(explaining);
    void explaining.finally(() => this.explaining.delete(explaining));
  }

  /** Never rejects: an error is reported as a violation. */
  private async explain(statement: Statement, key: string, shape: Shape): Promise<void> {
    // Only a primary explains a write. A secondary may explain a read, for example a former primary that
    // a test has paused.
    const isRead = READ_COMMANDS.some((name) => name in statement.command);
    try {
      const explanation = await this.recorderClient.db().command(
        { explain: statement.command, verbosity: 'executionStats' },
        // The explanation cuts long texts, perhaps within a UTF-8 character.
        {
          enableUtf8Validation: false,
          readPreference: isRead ? 'primaryPreferred' : 'primary',
        },
      );
      shape.explainedCount += 1;
      const { allowedStages } = boundOf(statement);
      for (const { stage, detail } of expensiveStagesOf(explanation)) {
        if (!allowedStages.has(stage)) this.report(statement, key, `${stage} ${detail}`);
      }
    } catch (error) {
      if (!isWithoutPrimary(error)) this.report(statement, key, `not explained: ${String(error)}`);
    }
  }

  private checkExecution({ statement, keys, documents, returned, hasSort }: Execution): void {
    const key = planShapeOf(statement);
    const { origins } = this.byShape.get(key) ?? { origins: new Set() };
    if (origins.size === 1 && origins.has(MIGRATION)) return;
    const bound = boundOf(statement);
    const maxExamined = bound.maxExamined(returned, statement);
    if (keys > maxExamined.keys || documents > maxExamined.documents) {
      const figures = `${keys} keys and ${documents} documents examined for ${returned}`;
      this.report(statement, key, figures);
    }
    if (hasSort && !bound.allowedStages.has('$sort'))
      this.report(statement, key, 'a sort in memory');
  }

  private report(statement: Statement, key: string, message: string): void {
    const bound = boundOf(statement);
    const origins = [...(this.byShape.get(key)?.origins ?? [])]
      .slice(0, MAX_REPORTED_ORIGINS)
      .join(', ');
    const command = mongoose.mongo.BSON.EJSON.stringify(statement.command).slice(
      0,
      MAX_COMMAND_LENGTH,
    );
    this.violations.set(
      `${key} ${String(message.split(' ')[0])}`,
      `${message}\n  bound: ${bound.name} (${bound.reason})\n  caused by: ${origins}\n  command: ${command}`,
    );
  }

  private markMigrations(migrations: MigrationService): void {
    const run = migrations.run.bind(migrations);
    migrations.run = (options) => this.origins.run(MIGRATION, () => run(options));
  }
}

function isPowerOfTwo(count: number): boolean {
  return (count & (count - 1)) === 0;
}

function isConnectionError(error: unknown): boolean {
  const { MongoNetworkError, MongoServerSelectionError, MongoNotConnectedError } = mongoose.mongo;
  return [MongoNetworkError, MongoServerSelectionError, MongoNotConnectedError].some(
    (kind) => error instanceof kind,
  );
}

/** Whether there was no primary to explain a statement, or the primary has just become a secondary. */
function isWithoutPrimary(error: unknown): boolean {
  return error instanceof mongoose.mongo.MongoServerError
    ? NOT_PRIMARY.has(error.code)
    : isConnectionError(error);
}
