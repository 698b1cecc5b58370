import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import type { NoticeWays } from '../events/notices/notice-kinds.js';
import { BY_ID } from '../platform/database/query-hints.js';
import type { RoleCode } from '../platform/http/access/role-code.js';
import { RoleService } from './role.service.js';
import { User } from './schemas/user.schema.js';

/** An account that is not disabled. */
export interface EnabledAccount {
  readonly userId: Types.ObjectId;
  readonly roles: readonly RoleCode[];
  readonly isUnverified: boolean;
  readonly noticeWays: NoticeWays;
}

/** Finds many enabled accounts at a time, with what they may do and want to hear. Reads from the primary. */
@Injectable()
export class EnabledAccounts {
  constructor(
    @InjectModel(User.name) private readonly users: Model<User>,
    private readonly roles: RoleService,
  ) {}

  /** Reads the accounts with these ids, and leaves out those that are disabled or deleted. */
  async find(ids: readonly Types.ObjectId[]): Promise<EnabledAccount[]> {
    if (ids.length === 0) return [];
    const users = await this.users
      .find({ _id: { $in: ids }, status: { $ne: false } }, null, BY_ID)
      .select(['roles', 'isUnverified', 'noticeWays'])
      .read('primary')
      .lean<User[]>();
    return Promise.all(
      users.map(async ({ _id, roles, isUnverified = false, noticeWays = {} }) => ({
        userId: _id,
        roles: await this.roles.codesOf(roles),
        isUnverified,
        noticeWays,
      })),
    );
  }

  /** The ids of all enabled accounts that have the role. */
  async idsWith(role: RoleCode): Promise<Types.ObjectId[]> {
    const roles = { $in: await this.roles.idsWith(role) };
    const users = await this.users
      .find({ roles, status: { $ne: false } })
      .select(['_id'])
      .read('primary')
      .lean<User[]>();
    return users.map(({ _id }) => _id);
  }

  /** Changes by which ways a user hears of some kinds of notices. */
  async changeNoticeWays(id: Types.ObjectId, ways: NoticeWays): Promise<void> {
    const $set = Object.fromEntries(
      Object.entries(ways).map(([kind, value]) => [`noticeWays.${kind}`, value]),
    );
    await this.users.updateOne({ _id: id }, { $set });
  }
}
