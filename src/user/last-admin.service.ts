import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { ClientSession, Model, Types } from 'mongoose';
import { inTransaction } from '../database/transaction-option.js';
import { RoleService } from './role.service.js';
import { Role } from './schemas/role.schema.js';
import { User } from './schemas/user.schema.js';
import { LastAdminError } from './user.errors.js';

/** Keeps the last enabled ADMIN. */
@Injectable()
export class LastAdminService {
  constructor(
    @InjectModel(User.name) private readonly users: Model<User>,
    @InjectModel(Role.name) private readonly roles: Model<Role>,
    private readonly roleService: RoleService,
  ) {}

  /**
   * Makes a change that may cost somebody the ADMIN role. It counts up a guard on that role before
   * anything else, so that two changes at once conflict and the second sees what the first has
   * left. A standalone MongoDB has no transactions: there the change is taken back when it has left
   * no admin.
   *
   * @param change answers how to take it back
   * @throws LastAdminError
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
    const takeBack = await change();
    if (await this.hasAdmin(adminRole, transaction)) return;
    if (!transaction) await takeBack();
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
