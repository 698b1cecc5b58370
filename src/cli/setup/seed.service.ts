import { Injectable, Logger } from '@nestjs/common';
import { ApiKeyService } from '../../apikey/api-key.service.js';
import { PasswordHasher } from '../../auth/password/password-hasher.js';
import { NOBODY } from '../../events/audit/audit.service.js';
import { ROLE_CODES } from '../../platform/http/access/role-code.js';
import { RoleService } from '../../user/role.service.js';
import { normalizeEmail } from '../../user/email.decorator.js';
import { UserService } from '../../user/user.service.js';
import type { GivenCredentials } from '../../admin/credentials.js';

/**
 * What was done about the admin. With `without role`, the account exists but is no admin; with
 * `disabled`, it exists but cannot sign in.
 */
export type AdminState = 'inserted' | 'already there' | 'without role' | 'disabled';

export interface SeedReport {
  /** What was done about the API key; null: no key was given. */
  readonly apiKey: 'inserted' | 'already there' | null;
  /** What was done about the admin; null: no admin was given. */
  readonly admin: AdminState | null;
}

/** Inserts the first API key and the first admin. An existing key or account is never changed. */
@Injectable()
export class SeedService {
  private readonly logger = new Logger(SeedService.name);

  constructor(
    private readonly apiKeys: ApiKeyService,
    private readonly users: UserService,
    private readonly roles: RoleService,
    private readonly hasher: PasswordHasher,
  ) {}

  async seed({ apiKey, adminEmail, adminPassword }: GivenCredentials): Promise<SeedReport> {
    return {
      apiKey: apiKey === undefined ? null : await this.ensureApiKey(apiKey),
      admin:
        adminEmail === undefined || adminPassword === undefined
          ? null
          : await this.ensureAdmin(normalizeEmail(adminEmail), adminPassword),
    };
  }

  /** Finds which of the credentials that a server needs are missing. */
  async missing(): Promise<('API key' | 'admin')[]> {
    const hasKey = (await this.apiKeys.list()).some(({ enabled }) => enabled);
    const hasAdmin = (await this.users.countEnabledWith('ADMIN')) > 0;
    return [...(hasKey ? [] : ['API key' as const]), ...(hasAdmin ? [] : ['admin' as const])];
  }

  private async ensureApiKey(apiKey: string): Promise<'inserted' | 'already there'> {
    const isInserted = await this.apiKeys.storeIfMissing(apiKey, 'made by the seed');
    return isInserted ? 'inserted' : 'already there';
  }

  private async ensureAdmin(email: string, password: string): Promise<AdminState> {
    const account = await this.users.findCredentials({ email });
    if (account) {
      if (account.status === false) return 'disabled';
      const isAdmin = await this.users.isEnabledWith(account._id, 'ADMIN');
      return isAdmin ? 'already there' : 'without role';
    }
    if (await this.hasher.isCommon(password)) {
      // This is only a warning, so that a server with such a password still starts.
      this.logger.warn('ADMIN_PASSWORD is one of the most common passwords: change it at once');
    }
    const admin = {
      email,
      name: 'Admin',
      passwordHash: await this.hasher.hash(password),
      roles: await this.roles.idsOf(ROLE_CODES),
    };
    await this.users.create(admin, NOBODY);
    return 'inserted';
  }
}
