import { Injectable, Logger } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { AuditService, NOBODY } from '../../events/audit/audit.service.js';
import { CacheCoherenceService } from '../../platform/caching/cache-coherence.service.js';
import { Env } from '../../platform/config/env.js';
import { BY_ID } from '../../platform/database/query-hints.js';
import { inTransaction } from '../../platform/database/transaction-option.js';
import { ROLE_CODES, type RoleCode } from '../../platform/http/access/role-code.js';
import { LastAdminService } from '../../user/last-admin.service.js';
import { RoleService } from '../../user/role.service.js';
import { User } from '../../user/schemas/user.schema.js';
import { LastAdminError } from '../../user/user.errors.js';
import { userChanges } from '../../user/user.service.js';
import type { Identity } from './identity.js';

interface RoleChange {
  /** The stored roles that are replaced. */
  readonly before: readonly Types.ObjectId[];
  readonly codes: readonly RoleCode[];
  /** Whether the account is an ADMIN no longer. */
  readonly endsAdmin: boolean;
}

/** Gives accounts the roles that the provider's claims name, as OIDC_ROLES says. */
@Injectable()
export class ProviderRoles {
  private readonly logger = new Logger(ProviderRoles.name);
  private readonly named: readonly RoleCode[];

  constructor(
    @InjectModel(User.name) private readonly users: Model<User>,
    private readonly roles: RoleService,
    private readonly lastAdmin: LastAdminService,
    private readonly coherence: CacheCoherenceService,
    private readonly audit: AuditService,
    env: Env,
  ) {
    this.named = env.OIDC_ROLES.map(({ role }) => role);
  }

  /** The ids of the roles of a new account. */
  async idsFor(identity: Identity): Promise<Types.ObjectId[]> {
    return this.roles.idsOf(['LEARNER', ...this.rolesOf(identity)]);
  }

  /**
   * Gives and takes the roles that OIDC_ROLES names. Others stay, and all of them if the account is the last ADMIN
   * and would be none. What an editor without the role has scheduled is settled by a background job.
   */
  async update(user: Types.ObjectId, identity: Identity): Promise<void> {
    if (this.named.length === 0) return;
    const account = await this.users
      .findOne({ _id: user })
      .select(['roles'])
      .read('primary')
      .lean<User | null>();
    const before = account?.roles ?? [];
    const held = await this.roles.codesOf(before);
    const kept = held.filter((role) => !this.named.includes(role));
    const roles = [...kept, ...this.rolesOf(identity)];
    if (roles.length === held.length && roles.every((role) => held.includes(role))) return;
    try {
      const endsAdmin = held.includes('ADMIN') && !roles.includes('ADMIN');
      await this.replace(user, { before, codes: roles, endsAdmin });
    } catch (error) {
      if (!(error instanceof LastAdminError)) throw error;
      this.logger.warn('the provider takes the role ADMIN from the last ADMIN, who keeps it');
    }
  }

  /** The roles that OIDC_ROLES gives to the person, each once. */
  private rolesOf({ roles }: Identity): RoleCode[] {
    return ROLE_CODES.filter((role) => roles.split(',').includes(role));
  }

  private async replace(
    user: Types.ObjectId,
    { before, codes, endsAdmin }: RoleChange,
  ): Promise<void> {
    const roles = await this.roles.idsOf(codes);
    const act = { kind: 'user.roles', actor: NOBODY, subject: user } as const;
    await this.coherence.transaction(userChanges(user), async (transaction) => {
      const change = async (): Promise<() => Promise<unknown>> => {
        // If somebody else has changed the roles meanwhile, the next sign-in compares them again.
        const unchanged = { _id: user, roles: before };
        const options = { ...BY_ID, ...inTransaction(transaction) };
        const { matchedCount } = await this.users.updateOne(
          unchanged,
          { $set: { roles } },
          options,
        );
        if (matchedCount === 1) {
          await this.audit.record({ ...act, details: { roles: codes } }, transaction);
        }
        return () => this.users.updateOne({ _id: user }, { $set: { roles: before } });
      };
      if (endsAdmin) await this.lastAdmin.guard(transaction, change);
      else await change();
    });
  }
}
