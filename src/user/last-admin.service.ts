import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { ClientSession, Model, Types } from 'mongoose';
import { inTransaction } from '../platform/database/transaction-option.js';
import { RoleService } from './role.service.js';
import { Role } from './schemas/role.schema.js';
import { User } from './schemas/user.schema.js';
import { LastAdminError } from './user.errors.js';

/** Keeps at least one enabled ADMIN. */
@Injectable()
export class LastAdminService {
  constructor(
    @InjectModel(User.name) private readonly users: Model<User>,
    @InjectModel(Role.name) private readonly roles: Model<Role>,
    private readonly roleService: RoleService,
  ) {}

  /**
   * Makes a change after which a user may not be an enabled ADMIN any more. It first increments a counter on
   * the ADMIN role, so that concurrent changes conflict and run one after another. If no admin is left,
   * the transaction is aborted. A standalone MongoDB has no transactions: there the change is
   * reverted.
   *
   * @param change makes the change and returns a function that reverts it
   * @throws LastAdminError
   * @throws what the change throws
   */
  async guard(
    transaction: ClientSession | null,
    change: () => Promise<() => Promise<unknown>>,
  ): Promise<void> {
    const adminRole = await this.roleService.idOf('ADMIN');
    await this.roles.updateOne(
      { _id: adminRole },
      { $inc: { guard: 1 } },
      inTransaction(transaction),
    );
    const revert = await change();
    if (await this.hasAdmin(adminRole, transaction)) return;
    if (!transaction) await revert();
    throw new LastAdminError();
  }

  private async hasAdmin(
    adminRole: Types.ObjectId,
    transaction: ClientSession | null,
  ): Promise<boolean> {
    const admin = await this.users
      .findOne({ roles: { $in: [adminRole] }, status: { $ne: false } })
      .select(['_id'])
      .session(transaction)
      .lean();
    return admin !== null;
  }
}
