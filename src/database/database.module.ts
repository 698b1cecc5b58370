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
import { DatabaseService } from './database.service.js';
import { MIGRATIONS, type Migration } from './migrations/migration.js';
import { MigrationService } from './migrations/migration.service.js';
import { MongoLocation } from './mongo-location.js';

export interface DatabaseOptions {
  readonly migrations: readonly Migration[];
  /** For scripts: use a running embedded database instead of refusing to start a second one. */
  readonly join: boolean;
  /** Whether the process answers requests. Else all that it does is background work. */
  readonly answersRequests: boolean;
}

/**
 * A server may be started together with its database, and waits more than a minute for it; a script
 * that somebody is waiting for says at once that there is none.
 */
const START_WAIT_MS = 75_000;
const RETRY_DELAY_MS = 3_000;

@Module({})
class MongoLocationModule {
  static register({ join }: DatabaseOptions): DynamicModule {
    return {
      module: MongoLocationModule,
      providers: [
        {
          provide: MongoLocation,
          inject: [Env],
          useFactory: (env: Env) => MongoLocation.open(env, { join }),
        },
      ],
      exports: [MongoLocation],
    };
  }
}

@Global()
@Module({})
export class DatabaseModule {
  static register(options: DatabaseOptions): DynamicModule {
    const location = MongoLocationModule.register(options);
    const connect = (client: ConnectOptions, name?: string): DynamicModule =>
      MongooseModule.forRootAsync({
        ...(name === undefined ? {} : { connectionName: name }),
        imports: [location],
        inject: [MongoLocation],
        useFactory: ({ uri }: MongoLocation) => ({
          uri,
          ...client,
          ...startRetries(options, client),
          verboseRetryLog: true,
          connectionFactory: (connection: Connection) => {
            // For queries of Mongoose; what asks the driver itself says so itself.
            if (client === REQUEST_CLIENT) connection.set('maxTimeMS', OPERATION_MAX_MS);
            return connection;
          },
        }),
      });
    return {
      module: DatabaseModule,
      imports: [
        location,
        ...(options.answersRequests
          ? [connect(REQUEST_CLIENT), connect(BACKGROUND_CLIENT, BACKGROUND)]
          : [connect(BACKGROUND_CLIENT)]),
      ],
      providers: [
        DatabaseService,
        MigrationService,
        { provide: MIGRATIONS, useValue: options.migrations },
        ...(options.answersRequests ? [] : [DEFAULT_AS_BACKGROUND]),
      ],
      exports: [
        DatabaseService,
        MigrationService,
        location,
        ...(options.answersRequests ? [] : [DEFAULT_AS_BACKGROUND]),
      ],
    };
  }
}

/** A process that answers no requests has one client, for background work. */
const DEFAULT_AS_BACKGROUND = {
  provide: getConnectionToken(BACKGROUND),
  useExisting: getConnectionToken(),
};

function startRetries({ join }: DatabaseOptions, { serverSelectionTimeoutMS = 0 }: ConnectOptions) {
  const attempts = Math.ceil(START_WAIT_MS / (serverSelectionTimeoutMS + RETRY_DELAY_MS));
  return { retryAttempts: join ? 0 : attempts, retryDelay: RETRY_DELAY_MS };
}
