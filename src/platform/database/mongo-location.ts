import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Env } from '../config/env.js';
import type { EmbeddedMongo } from './embedded/embedded-mongo.js';

/** The database to connect to: external or embedded. Starts and stops the embedded MongoDB. */
@Injectable()
export class MongoLocation implements OnApplicationShutdown {
  private constructor(
    readonly uri: string,
    private readonly embedded: EmbeddedMongo | null,
  ) {}

  get isEmbedded(): boolean {
    return this.embedded !== null;
  }

  /** Whether another process runs the embedded database. */
  get isJoined(): boolean {
    return this.embedded?.joined === true;
  }

  /**
   * @param options with `join`, uses the embedded database of another process, if one is running
   * @throws what `startEmbeddedMongo` throws
   */
  static async open(
    env: Env,
    { join, onSpawn }: { readonly join: boolean; readonly onSpawn?: () => void },
  ): Promise<MongoLocation> {
    if (env.MONGODB_URI) return new MongoLocation(env.MONGODB_URI, null);
    // The module is imported here, because only a start without MONGODB_URI needs it.
    const { startEmbeddedMongo } = await import('./embedded/embedded-mongo.js');
    const logger = new Logger('EmbeddedMongo');
    const embedded = await startEmbeddedMongo({
      dataDir: env.DATA_DIR,
      join,
      onSpawn,
      log: (line) => logger.log(line),
      systemBinary: env.MONGOMS_SYSTEM_BINARY,
      path: env.PATH,
      xdgCacheHome: env.XDG_CACHE_HOME,
      logError: (line) => logger.error(line),
    });
    return new MongoLocation(embedded.uri, embedded);
  }

  /**
   * Opens the database of a server that loads its modules meanwhile.
   *
   * @returns when the process of an embedded MongoDB exists; `opened` resolves when it accepts writes
   * @throws what `open` throws before
   */
  static async launch(env: Env): Promise<{ readonly opened: Promise<MongoLocation> }> {
    const spawned = Promise.withResolvers<void>();
    const opened = MongoLocation.open(env, { join: false, onSpawn: spawned.resolve });
    await Promise.race([spawned.promise, opened]);
    // Whoever awaits `opened` later gets the error, which is no unhandled one until then.
    opened.catch(() => undefined);
    return { opened };
  }

  /**
   * Notes the server's URL for commands that use the same data folder and call the server. Does nothing for
   * an external database.
   */
  async noteUrl(url: string): Promise<void> {
    await this.embedded?.noteUrl(url);
  }

  /**
   * Stops the embedded database. Its connections are closed by then, because Nest runs the shutdown hooks of
   * a module before those of the modules that it imports.
   */
  async onApplicationShutdown(): Promise<void> {
    await this.embedded?.stop();
  }
}
