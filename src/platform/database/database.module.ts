import { Global, Module, type DynamicModule } from '@nestjs/common';
import { getConnectionToken, MongooseModule } from '@nestjs/mongoose';
import type { ConnectOptions, Connection } from 'mongoose';
import { Env } from '../config/env.js';
import {
  BACKGROUND,
  BACKGROUND_CLIENT,
  OPERATION_MAX_MS,
  REQUEST_CLIENT,
} from './client-options.js';
import { awaitDatabase } from './connection/await-database.js';
import { failWritesToClosedConnections } from './connection/closed-connections.js';
import { DatabaseService } from './database.service.js';
import { BackgroundJobRecord, BackgroundJobSchema } from './lock/background-job.schema.js';
import { JobLock } from './lock/job-lock.js';
import { MIGRATIONS, type Migration } from './migrations/migration.js';
import { MigrationService } from './migrations/migration.service.js';
import { MongoLocation } from './mongo-location.js';

export interface DatabaseOptions {
  readonly migrations: readonly Migration[];
  /**
   * Whether to use the embedded database of another process, if one is running, and to make a single attempt to
   * connect to an external one; for scripts.
   */
  readonly join: boolean;
  /** The database that the process has begun to open; opened by the module when left out. */
  readonly location?: Promise<MongoLocation> | undefined;
  /** Whether the process serves requests. Other processes have the background connection only. */
  readonly servesRequests: boolean;
}

@Module({})
class MongoLocationModule {}

@Global()
@Module({})
export class DatabaseModule {
  static register(options: DatabaseOptions): DynamicModule {
    const { join } = options;
    failWritesToClosedConnections();
    const open = async (env: Env): Promise<MongoLocation> => {
      const location = await (options.location ?? MongoLocation.open(env, { join }));
      // An embedded database is ready already.
      if (!location.isEmbedded) await awaitDatabase(location.uri, { once: join });
      return location;
    };
    const location: DynamicModule = {
      module: MongoLocationModule,
      providers: [{ provide: MongoLocation, inject: [Env], useFactory: open }],
      exports: [MongoLocation],
    };
    const connect = (client: ConnectOptions, name?: string): DynamicModule =>
      MongooseModule.forRootAsync({
        ...(name === undefined ? {} : { connectionName: name }),
        imports: [location],
        inject: [MongoLocation, Env],
        useFactory: ({ uri }: MongoLocation, env: Env) => ({
          uri,
          ...client,
          // Only the metrics need the driver's command events, and every event costs time.
          ...(env.METRICS_PORT === undefined ? {} : { monitorCommands: true }),
          // Nest need not retry to connect, because `open` has waited until the database was ready.
          retryAttempts: 0,
          connectionFactory: (connection: Connection) => {
            // Mongoose passes this `maxTimeMS` with its queries. Code that calls the driver directly must pass
            // `maxTimeMS` itself.
            if (client === REQUEST_CLIENT) connection.set('maxTimeMS', OPERATION_MAX_MS);
            return connection;
          },
        }),
      });
    return {
      module: DatabaseModule,
      imports: [
        location,
        ...(options.servesRequests
          ? [connect(REQUEST_CLIENT), connect(BACKGROUND_CLIENT, BACKGROUND)]
          : [connect(BACKGROUND_CLIENT)]),
        MongooseModule.forFeature([
          { name: BackgroundJobRecord.name, schema: BackgroundJobSchema },
        ]),
      ],
      providers: [
        DatabaseService,
        JobLock,
        MigrationService,
        { provide: MIGRATIONS, useValue: options.migrations },
        ...(options.servesRequests ? [] : [DEFAULT_AS_BACKGROUND]),
      ],
      exports: [
        DatabaseService,
        JobLock,
        MigrationService,
        location,
        ...(options.servesRequests ? [] : [DEFAULT_AS_BACKGROUND]),
      ],
    };
  }
}

/** A process that serves no requests has one client, which is injected under both names. */
const DEFAULT_AS_BACKGROUND = {
  provide: getConnectionToken(BACKGROUND),
  useExisting: getConnectionToken(),
};
