import { Injectable, Logger } from '@nestjs/common';
import { generateApiKey } from '../../apikey/api-key.js';
import { FormerAuthorService } from '../../blog/trash/former-author.service.js';
import { Env, misspelledSettings } from '../../platform/config/env.js';
import { OperatorError } from '../../platform/config/operator.error.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { MigrationService } from '../../platform/database/migrations/migration.service.js';
import { MongoLocation } from '../../platform/database/mongo-location.js';
import { UserService } from '../../user/user.service.js';
import {
  missingCredentials,
  readOrCreateCredentials,
  type Credentials,
  type GivenCredentials,
} from '../../admin/credentials.js';
import { SeedService } from './seed.service.js';

export interface Preparation {
  /** Whether all migrations have run; the log names the missing ones. */
  readonly isReady: boolean;
  /**
   * Credentials that this start has generated, to show them once. `kept`: this start generated none,
   * because an earlier one did or the settings give them. `given`: the database is external.
   */
  readonly credentials: Credentials | 'kept' | 'given';
  /** The credentials that are missing, without which nobody can use the server. */
  readonly missing: readonly ('API key' | 'admin')[];
}

/** Largest number of missing migrations and indexes that a warning names. */
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
   * Migrates with MIGRATE=on, resumes the deletions of accounts, and creates credentials at the first
   * start of an embedded database.
   */
  async prepare(): Promise<Preparation> {
    this.warnOfMisspelledSettings();
    await this.database.warnIfStandalone();
    if (this.env.MIGRATE === 'on') await this.migrations.runIfPending();
    const isReady = await this.checkMigrated();
    // The deletions go on with MIGRATE=off as well, because the authors were told that their blogs are deleted with
    // their accounts.
    if (isReady) await this.formerAuthors.resumeDeletions();
    const credentials = this.location.isEmbedded ? await this.seed() : 'given';
    if (isReady) await this.warnIfOneEditor();
    const missing = isReady ? await this.seeds.missing() : [];
    if (missing.length > 0) {
      const what = missing.join(' and no ');
      this.logger.warn(`nobody can use this server, it has no ${what}: run "npx pressroom seed"`);
    }
    return { isReady, credentials, missing };
  }

  /**
   * Inserts the credentials of an embedded database.
   *
   * @returns the credentials if this start generated them
   */
  private async seed(): Promise<Credentials | 'kept'> {
    const { credentials, created } = await readOrCreateCredentials(this.env, this.hasAdmin);
    // Credentials from the settings are inserted at each start. Generated ones are inserted only once, so that an API
    // key that an admin deletes stays deleted.
    if (created || missingCredentials(this.env).length === 0)
      await this.seeds.seed(withoutEmpty(credentials));
    return created ? credentials : 'kept';
  }

  private readonly hasAdmin = async (): Promise<boolean> =>
    !(await this.seeds.missing()).includes('admin');

  private warnOfMisspelledSettings(): void {
    for (const { name, meant } of misspelledSettings()) {
      this.logger.warn(`the setting ${name} is unknown and was ignored: did you mean ${meant}?`);
    }
  }

  /** With FOUR_EYES=on, a single editor cannot publish the articles to which they have contributed. */
  private async warnIfOneEditor(): Promise<void> {
    if (this.env.FOUR_EYES === 'off' || (await this.users.countEnabledWith('EDITOR')) > 1) return;
    this.logger.warn(
      'FOUR_EYES=on needs a second enabled editor: nobody else can publish what the only editor has ' +
        'written or corrected. Give another user the role EDITOR.',
    );
  }

  /**
   * Credentials for `pressroom seed`. For an external database, an API key is generated if `API_KEY`
   * is unset and the database has no enabled key. An admin is never generated: it must be set.
   *
   * @returns the credentials, and which of them this call has generated
   * @throws OperatorError when only one of `ADMIN_EMAIL` and `ADMIN_PASSWORD` is set
   */
  async seedCredentials(): Promise<{ credentials: GivenCredentials; created: GivenCredentials }> {
    if (this.location.isEmbedded) {
      const { credentials, created } = await readOrCreateCredentials(this.env, this.hasAdmin);
      const given = withoutEmpty(credentials);
      return { credentials: given, created: created ? given : {} };
    }
    const { API_KEY, ADMIN_EMAIL, ADMIN_PASSWORD } = this.env;
    if ((ADMIN_EMAIL === undefined) !== (ADMIN_PASSWORD === undefined)) {
      const missing = ADMIN_EMAIL === undefined ? 'ADMIN_EMAIL' : 'ADMIN_PASSWORD';
      throw new OperatorError(`Set ${missing} as well, or neither: then the seed makes no admin.`);
    }
    const needsKey = API_KEY === undefined && (await this.seeds.missing()).includes('API key');
    const created = needsKey ? { apiKey: generateApiKey() } : {};
    return {
      credentials: {
        ...(API_KEY === undefined ? created : { apiKey: API_KEY }),
        ...(ADMIN_EMAIL === undefined ? {} : { adminEmail: ADMIN_EMAIL }),
        ...(ADMIN_PASSWORD === undefined ? {} : { adminPassword: ADMIN_PASSWORD }),
      },
      created,
    };
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

/** The credentials without an admin that was there already. */
function withoutEmpty({ apiKey, adminEmail, adminPassword }: Credentials): GivenCredentials {
  return adminPassword === '' || adminEmail === ''
    ? { apiKey }
    : { apiKey, adminEmail, adminPassword };
}
