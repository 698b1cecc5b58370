import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { ClientSession, Model, Types } from 'mongoose';
import { Clock } from '../platform/clock.js';
import { inTransaction } from '../platform/database/transaction-option.js';
import { DeletedAccount } from './schemas/deleted-account.schema.js';
import type { User } from './schemas/user.schema.js';

/**
 * Milliseconds for which the record of a deleted account is kept. Afterwards, no request that
 * was running at the deletion can still write.
 */
const RETENTION_MS = 3_600_000;

/** Records deleted accounts, so that a later start can finish a deletion that a crash interrupted. */
@Injectable()
export class DeletedAccountService {
  constructor(
    @InjectModel(DeletedAccount.name) private readonly accounts: Model<DeletedAccount>,
    private readonly clock: Clock,
  ) {}

  /** Records the deletion. Call it before the user's record is deleted, or in the same transaction. */
  async mark(
    { _id, picture }: Pick<User, '_id' | 'picture'>,
    transaction: ClientSession | null,
  ): Promise<void> {
    await this.accounts.updateOne(
      { _id },
      { $set: { deletedAt: this.clock.now(), ...(picture ? { picture: picture.media } : {}) } },
      { upsert: true, ...inTransaction(transaction) },
    );
  }

  /** The ids of deleted accounts, in the order of deletion. */
  async *all(): AsyncGenerator<Types.ObjectId> {
    const accounts = this.accounts
      .find({ deletedAt: { $gt: new Date(0) } })
      .sort({ deletedAt: 1 })
      .lean<DeletedAccount[]>()
      .cursor();
    for await (const { _id } of accounts) yield _id;
  }

  /**
   * Deletes the record of a cleaned-up account if RETENTION_MS have passed since the deletion, and the event log
   * has the event of the deletion, if there is one.
   */
  async deleteIfExpired(user: Types.ObjectId): Promise<void> {
    const before = new Date(this.clock.now().getTime() - RETENTION_MS);
    const expired = { deletedAt: { $lt: before }, renamePending: { $ne: true } };
    await this.accounts.deleteOne({ _id: user, ...expired }, { hint: { _id: 1 } });
  }
}
