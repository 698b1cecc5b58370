import { Global, Module, type DynamicModule } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import type { Env } from '../config/env.js';
import { ENV } from '../config/env.token.js';
import { DatabaseService } from './database.service.js';
import { MIGRATIONS, type Migration } from './migrations/migration.js';
import { MigrationService } from './migrations/migration.service.js';
import { MongoLocation } from './mongo-location.js';

export interface DatabaseOptions {
  readonly migrations: readonly Migration[];
  /** For scripts: use a running embedded database instead of refusing to start a second one. */
  readonly join: boolean;
}

/** Above it, a request waits in vain: the caller has given up. */
const SERVER_SELECTION_TIMEOUT_MS = 5_000;

/**
 * A server may be started together with its database; a script that somebody is waiting for says
 * at once that there is none.
 */
const SERVER_RETRIES = 9;

@Module({})
class MongoLocationModule {
  static register({ join }: DatabaseOptions): DynamicModule {
    return {
      module: MongoLocationModule,
      providers: [
        {
          provide: MongoLocation,
          inject: [ENV],
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
    return {
      module: DatabaseModule,
      imports: [
        location,
        MongooseModule.forRootAsync({
          imports: [location],
          inject: [MongoLocation],
          useFactory: ({ uri }: MongoLocation) => ({
            uri,
            // Indexes come with the migrations, not with whichever process starts first.
            autoIndex: false,
            autoCreate: false,
            w: 'majority',
            serverSelectionTimeoutMS: SERVER_SELECTION_TIMEOUT_MS,
            retryAttempts: options.join ? 0 : SERVER_RETRIES,
            verboseRetryLog: true,
          }),
        }),
      ],
      providers: [
        DatabaseService,
        MigrationService,
        { provide: MIGRATIONS, useValue: options.migrations },
      ],
      exports: [DatabaseService, MigrationService, location],
    };
  }
}
