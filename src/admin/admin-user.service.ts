import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter, Types, UpdateQuery } from 'mongoose';
import { ScheduleMakers } from '../blog/schedule/schedule-makers.service.js';
import { toSettledSchedulesView } from '../blog/schedule/settled-schedules.view.js';
import { AuditService, type Act, type Actor } from '../events/audit/audit.service.js';
import type { RoleCode } from '../platform/http/access/role-code.js';
import { skipOf } from '../platform/http/pagination/page-query.dto.js';
import { CacheCoherenceService } from '../platform/caching/cache-coherence.service.js';
import { Env } from '../platform/config/env.js';
import { publicLinksOf, type LinksOf } from '../platform/picture/picture-address.js';
import { LastAdminService } from '../user/last-admin.service.js';
import { RoleService } from '../user/role.service.js';
import { User } from '../user/schemas/user.schema.js';
import { userChanges } from '../user/user.service.js';
import { UserNotFoundError } from '../user/user.errors.js';
import { NewAccountDto } from './dto/operator-account.dto.js';
import { OperatorAccountService } from './operator-account.service.js';
import { UserQuery } from './dto/user-query.dto.js';
import { ADMIN_USER_FIELDS, toAdminUserView, type AdminUserView } from './admin-user.view.js';

/** Lets admins list accounts, set their roles, and disable or enable them. */
@Injectable()
export class AdminUserService {
  private readonly linksOf: LinksOf;

  constructor(
    @InjectModel(User.name) private readonly users: Model<User>,
    private readonly accounts: OperatorAccountService,
    private readonly roleService: RoleService,
    private readonly lastAdmin: LastAdminService,
    private readonly schedules: ScheduleMakers,
    private readonly coherence: CacheCoherenceService,
    private readonly audit: AuditService,
    env: Env,
  ) {
    this.linksOf = publicLinksOf(env);
  }

  /** A page of the accounts, newest first. */
  async list({ email, role, page, limit }: UserQuery): Promise<AdminUserView[]> {
    const roles = await this.roleService.findAll();
    const roleIds = role === undefined ? [] : await this.roleService.idsWith(role);
    const filter: QueryFilter<User> = {
      ...(email === undefined ? {} : { email }),
      ...(role === undefined ? {} : { roles: { $in: roleIds } }),
    };
    const users = await this.coherence.read((options) =>
      this.users
        .find(filter, null, options)
        // At most one account has the email address, so there is nothing to sort.
        .sort(email === undefined ? { createdAt: -1, _id: -1 } : {})
        .skip(skipOf({ page, limit }))
        .limit(limit)
        .select(ADMIN_USER_FIELDS)
        .lean<User[]>(),
    );
    return users.map((user) => toAdminUserView(user, roles, this.linksOf));
  }

  /** @throws AlreadyRegisteredError @throws InvalidBodyError for a password that is too common */
  async create(input: NewAccountDto, admin: Actor): Promise<AdminUserView> {
    return this.get(await this.accounts.create(input, admin));
  }

  /** @throws UserNotFoundError */
  async get(id: Types.ObjectId): Promise<AdminUserView> {
    const [user, roles] = await Promise.all([
      this.coherence.read((options) =>
        this.users.findById(id, null, options).select(ADMIN_USER_FIELDS).lean<User | null>(),
      ),
      this.roleService.findAll(),
    ]);
    if (!user) throw new UserNotFoundError();
    return toAdminUserView(user, roles, this.linksOf);
  }

  /**
   * Replaces the roles of the account.
   *
   * @throws UserNotFoundError
   * @throws LastAdminError
   */
  async setRoles(
    id: Types.ObjectId,
    codes: readonly RoleCode[],
    actor: Actor,
  ): Promise<AdminUserView> {
    const given = [...new Set(codes)];
    const roles = await this.roleService.idsOf(given);
    return this.change(
      id,
      { $set: { roles } },
      { kind: 'user.roles', actor, subject: id, details: { roles: given } },
    );
  }

  /**
   * Enables or disables an account. Disabling ends all sessions of the user.
   *
   * @throws UserNotFoundError
   * @throws LastAdminError
   */
  async setEnabled(id: Types.ObjectId, enabled: boolean, actor: Actor): Promise<AdminUserView> {
    const update = { $set: { status: enabled }, ...(enabled ? {} : { $inc: { epoch: 1 } }) };
    const details = { enabled };
    return this.change(id, update, { kind: 'user.status', actor, subject: id, details });
  }

  /**
   * Changes the account, and then settles what a user who is no longer an enabled EDITOR has scheduled. If
   * the process ends in between, a background job settles it.
   */
  private async change(
    id: Types.ObjectId,
    update: UpdateQuery<User>,
    act: Act,
  ): Promise<AdminUserView> {
    await this.coherence.transaction(userChanges(id), async (transaction) => {
      await this.lastAdmin.guard(transaction, async () => {
        const before = await this.users
          .findByIdAndUpdate(id, update, { session: transaction, returnDocument: 'before' })
          .lean<User | null>();
        if (!before) throw new UserNotFoundError();
        const { roles, status } = before;
        // `guard` calls this function to revert the change when there are no transactions.
        return () => this.users.updateOne({ _id: id }, { $set: { roles, status } });
      });
      await this.audit.record(act, transaction);
    });
    const settled = await this.schedules.settle(id, { admin: act.actor.userId });
    const view = await this.get(id);
    if (settled.cleared.length + settled.passed.length === 0) return view;
    return { ...view, schedules: toSettledSchedulesView(settled) };
  }
}
