import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { effectiveRole, type RoleCode } from '../platform/http/access/role-code.js';
import { OperatorError } from '../platform/config/operator.error.js';
import { CacheCoherenceService } from '../platform/caching/cache-coherence.service.js';
import { modelFor } from '../platform/caching/causal-read-barrier.js';
import { Cache } from '../platform/caching/cache.js';
import { ROLE } from './schemas/role.cache.js';
import { Role } from './schemas/role.schema.js';
import type { RoleSource } from './views/user.view.js';

const ALL = 'all';

/** Reads the four roles. */
@Injectable()
export class RoleService {
  private readonly cache: Cache<readonly RoleSource[]>;

  constructor(
    @InjectModel(Role.name) private readonly roles: Model<Role>,
    private readonly coherence: CacheCoherenceService,
  ) {
    this.cache = new Cache(coherence, { name: 'roles', dependsOn: [ROLE], bounds: { max: 1 } });
  }

  async findAll(): Promise<readonly RoleSource[]> {
    const roles = await this.cache.get(ALL, async () => ({
      value: await this.read(),
      dependsOn: [ROLE.all],
    }));
    return roles ?? [];
  }

  private async read(): Promise<RoleSource[]> {
    // The condition on `code` matches every code, so that MongoDB scans the index instead of the
    // collection.
    const enabled = { code: { $gte: '' }, status: { $ne: false } };
    return this.coherence.publicRead((options) =>
      modelFor(this.roles, options)
        .find(enabled)
        .select(['code'])
        .setOptions(options)
        .lean<RoleSource[]>(),
    );
  }

  /**
   * The ids of the stored roles that grant this role; there are two where an older server stored
   * WRITER.
   */
  async idsWith(role: RoleCode): Promise<Types.ObjectId[]> {
    const stored = await this.findAll();
    return stored.filter(({ code }) => effectiveRole(code) === role).map(({ _id }) => _id);
  }

  /** The roles that the stored roles with these ids grant. */
  async codesOf(ids: readonly Types.ObjectId[]): Promise<RoleCode[]> {
    const stored = await this.findAll();
    return stored
      .filter(({ _id }) => ids.some((id) => id.equals(_id)))
      .map(({ code }) => effectiveRole(code))
      .filter((role) => role !== null);
  }

  /** @throws OperatorError when a role is missing because migrations have not run */
  async idsOf(codes: readonly RoleCode[]): Promise<Types.ObjectId[]> {
    const stored = await this.findAll();
    return codes.map((code) => idIn(stored, code));
  }

  /** @throws OperatorError when the role is missing because migrations have not run */
  async idOf(code: RoleCode): Promise<Types.ObjectId> {
    return idIn(await this.findAll(), code);
  }
}

function idIn(stored: readonly RoleSource[], code: RoleCode): Types.ObjectId {
  const role = stored.find((candidate) => effectiveRole(candidate.code) === code);
  if (!role) throw new OperatorError(`The role ${code} is missing: run "npx pressroom migrate".`);
  return role._id;
}
