import { Injectable, Logger } from '@nestjs/common';
import { FormerAuthorService } from '../blog/trash/former-author.service.js';
import { Env } from '../config/env.js';
import { OperatorError } from '../config/operator.error.js';
import { DatabaseService } from '../database/database.service.js';
import { MigrationService } from '../database/migrations/migration.service.js';
import { MongoLocation } from '../database/mongo-location.js';
import { UserService } from '../user/user.service.js';
import { missingCredentials, readOrCreateCredentials, type Credentials } from './credentials.js';
import { SeedService } from './seed.service.js';

export interface Preparation {
  /** False while migrations are missing; the log names them. */
  readonly isReady: boolean;
  /**
   * Credentials that this start has generated, to show them once. `kept`: an earlier start generated
   * them. `given`: the operator sets them, because the database is external.
   */
  readonly credentials: Credentials | 'kept' | 'given';
}

/** How many missing migrations and indexes a warning names. */
const NAMED_MAX = 3;

/** Prepares the database after connecting and before accepting requests. */
@Injectable()
export class SetupService {
  private readonly logger = new Logger(SetupService.name);

  constructor(
    private readonly env: Env,
    private readonly database: DatabaseService,
    private readonly location: MongoLocation,
    private readonly migrations: MigrationService,
    private readonly seeds: SeedService,
    private readonly formerAuthors: FormerAuthorService,
    private readonly users: UserService,
  ) {}

  /**
   * Migrates with MIGRATE=on, cleans up after deleted accounts, and creates credentials at the first
   * start of an embedded database.
   */
  async prepare(): Promise<Preparation> {
    await this.database.warnIfStandalone();
    if (this.env.MIGRATE === 'on') await this.migrations.runIfPending();
    const isReady = await this.checkMigrated();
    // Without the indexes the clean-up would scan all blogs.
    if (isReady) await this.cleanUpDeletedAccounts();
    const credentials = this.location.isEmbedded ? await this.seed() : 'given';
    if (isReady) await this.warnIfOneEditor();
    return { isReady, credentials };
  }

  /** Inserts the credentials of an embedded database. @returns them if this start generated them */
  private async seed(): Promise<Credentials | 'kept'> {
    const { credentials, created } = await readOrCreateCredentials(this.env);
    // Generated credentials are inserted once, so that an API key that an admin deletes stays deleted.
    if (created || missingCredentials(this.env).length === 0) await this.seeds.seed(credentials);
    return created ? credentials : 'kept';
  }

  /** With FOUR_EYES=on one editor alone cannot publish what they wrote or corrected. */
  private async warnIfOneEditor(): Promise<void> {
    if (this.env.FOUR_EYES === 'off' || (await this.users.countEnabledWith('EDITOR')) > 1) return;
    this.logger.warn(
      'FOUR_EYES=on needs a second enabled editor: give another user the role EDITOR, or their own ' +
        'articles and corrections cannot be published',
    );
  }

  /**
   * Credentials for `npm run seed`, and whether this call has generated them.
   *
   * @throws OperatorError naming the settings that are missing for an external database
   */
  async seedCredentials(): Promise<{ credentials: Credentials; created: boolean }> {
    if (this.location.isEmbedded) return readOrCreateCredentials(this.env);
    const missing = missingCredentials(this.env);
    if (missing.length > 0) {
      throw new OperatorError(`Set ${missing.join(', ')} to seed a database of your own.`);
    }
    const { API_KEY = '', ADMIN_EMAIL = '', ADMIN_PASSWORD = '' } = this.env;
    const credentials = { apiKey: API_KEY, adminEmail: ADMIN_EMAIL, adminPassword: ADMIN_PASSWORD };
    return { credentials, created: false };
  }

  /** Runs with MIGRATE=off as well, because the authors were told that these blogs are deleted. */
  private async cleanUpDeletedAccounts(): Promise<void> {
    const removed = await this.formerAuthors.cleanUpDeletedAccounts();
    if (removed > 0) this.logger.log(`blogs of deleted accounts removed: ${removed}`);
  }

  private async checkMigrated(): Promise<boolean> {
    const pending = await this.migrations.pending();
    if (pending.length === 0) return true;
    const names = pending.slice(0, NAMED_MAX).join(', ');
    const more = pending.length > NAMED_MAX ? ` and ${pending.length - NAMED_MAX} more` : '';
    this.logger.warn(`not ready: run "npm run migrate"; the database lacks ${names}${more}`);
    return false;
  }
}
