import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { stopWithFailure } from '../common/stop-with-failure.js';
import type { Env } from '../config/env.js';
import type { EmbeddedMongo } from './embedded/embedded-mongo.js';

/** Where the database is: an external one, or the embedded one that this process runs. */
@Injectable()
export class MongoLocation implements OnApplicationShutdown {
  private constructor(
    readonly uri: string,
    private readonly embedded: EmbeddedMongo | null,
  ) {}

  get isEmbedded(): boolean {
    return this.embedded !== null;
  }

  /**
   * @param options with `join`, an embedded database that is already running is used as it is
   * @throws what `startEmbeddedMongo` throws
   */
  static async open(env: Env, { join }: { readonly join: boolean }): Promise<MongoLocation> {
    if (env.MONGODB_URI) return new MongoLocation(env.MONGODB_URI, null);
    // Only a start without MONGODB_URI pays for it.
    const { startEmbeddedMongo } = await import('./embedded/embedded-mongo.js');
    const logger = new Logger('EmbeddedMongo');
    const embedded = await startEmbeddedMongo({
      dataDir: env.DATA_DIR,
      join,
      log: (line) => logger.log(line),
      systemBinary: env.MONGOMS_SYSTEM_BINARY,
      path: env.PATH,
      xdgCacheHome: env.XDG_CACHE_HOME,
      onUnexpectedEnd: (error) => {
        logger.error(error.message);
        // Without its database the process can only answer 503.
        stopWithFailure();
      },
    });
    return new MongoLocation(embedded.uri, embedded);
  }

  /** After the connections have closed: Nest runs these hooks in the reverse order of creation. */
  async onApplicationShutdown(): Promise<void> {
    await this.embedded?.stop();
  }
}
