import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Env } from '../config/env.js';
import { ENV } from '../config/env.token.js';
import { DatabaseService } from '../database/database.service.js';
import { MigrationService } from '../database/migrations/migration.service.js';
import { MongoLocation } from '../database/mongo-location.js';
import { missingCredentials, readOrCreateCredentials, type Credentials } from './credentials.js';
import { OperatorError } from './fail-with.js';
import { SeedService, type SeedReport } from './seed.service.js';

/** What happens between connecting to the database and taking requests. */
@Injectable()
export class SetupService {
  private readonly logger = new Logger(SetupService.name);

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly database: DatabaseService,
    private readonly location: MongoLocation,
    private readonly migrations: MigrationService,
    private readonly seeds: SeedService,
  ) {}

  /**
   * Migrates if the configuration says so, and makes an embedded database usable at its first
   * start.
   *
   * @returns the credentials that this start has made, to be shown once; null otherwise
   */
  async prepare(): Promise<Credentials | null> {
    await this.database.warnIfStandalone();
    if (this.env.MIGRATE === 'on') await this.migrations.runIfPending();
    else await this.warnIfPending();
    if (!this.location.isEmbedded) return null;
    const { credentials, created } = await readOrCreateCredentials(this.env);
    // A key that was deleted on purpose must not come back with the next start.
    if (created || missingCredentials(this.env).length === 0) await this.seeds.seed(credentials);
    return created ? credentials : null;
  }

  /**
   * The seed's values for `npm run seed`.
   *
   * @throws OperatorError naming the variables that a database of one's own needs
   */
  async seedCredentials(): Promise<Credentials> {
    if (this.location.isEmbedded) return (await readOrCreateCredentials(this.env)).credentials;
    const missing = missingCredentials(this.env);
    if (missing.length > 0) {
      throw new OperatorError(`Set ${missing.join(', ')} to seed a database of your own.`);
    }
    const { API_KEY = '', ADMIN_EMAIL = '', ADMIN_PASSWORD = '' } = this.env;
    return { apiKey: API_KEY, adminEmail: ADMIN_EMAIL, adminPassword: ADMIN_PASSWORD };
  }

  async seed(credentials: Credentials): Promise<SeedReport> {
    return this.seeds.seed(credentials);
  }

  private async warnIfPending(): Promise<void> {
    const pending = await this.migrations.pending();
    if (pending.length === 0) return;
    this.logger.warn(
      `not ready: the database lacks ${pending.join(', ')}; run "npm run migrate" (MIGRATE=off)`,
    );
  }
}
