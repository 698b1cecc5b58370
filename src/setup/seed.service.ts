import { Injectable, Logger } from '@nestjs/common';
import { ApiKeyService } from '../apikey/api-key.service.js';
import { PasswordHasher } from '../auth/password/password-hasher.js';
import { ROLE_CODES } from '../common/access/role-code.js';
import { RoleService } from '../user/role.service.js';
import { normalizeEmail } from '../user/email.decorator.js';
import { UserService } from '../user/user.service.js';
import type { Credentials } from './credentials.js';

export interface SeedReport {
  readonly insertedApiKey: boolean;
  readonly insertedAdmin: boolean;
}

/** Inserts the first API key and the first admin. Existing ones are never changed. */
@Injectable()
export class SeedService {
  private readonly logger = new Logger(SeedService.name);

  constructor(
    private readonly apiKeys: ApiKeyService,
    private readonly users: UserService,
    private readonly roles: RoleService,
    private readonly hasher: PasswordHasher,
  ) {}

  async seed({ apiKey, adminEmail, adminPassword }: Credentials): Promise<SeedReport> {
    return {
      insertedApiKey: await this.apiKeys.storeIfMissing(apiKey, 'made by the seed'),
      insertedAdmin: await this.ensureAdmin(normalizeEmail(adminEmail), adminPassword),
    };
  }

  private async ensureAdmin(email: string, password: string): Promise<boolean> {
    if (await this.users.isRegistered(email)) return false;
    if (await this.hasher.isCommon(password)) {
      // Only a warning, so that a deployment with such a setting still starts.
      this.logger.warn('ADMIN_PASSWORD is one of the most common passwords: change it at once');
    }
    await this.users.create({
      email,
      name: 'Admin',
      passwordHash: await this.hasher.hash(password),
      roles: await this.roles.idsOf(ROLE_CODES),
    });
    return true;
  }
}
