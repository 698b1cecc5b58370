import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { ClientSession, Model, Types } from 'mongoose';
import { Clock } from '../common/clock.js';
import { inTransaction } from '../database/transaction-option.js';
import { DeletedAccount } from './schemas/deleted-account.schema.js';

/** No request that was under way when an account was deleted is still running so much later. */
const SETTLED_MS = 3_600_000;

/** Remembers which accounts were deleted, so that what a crash has left of them is found. */
@Injectable()
export class DeletedAccountService {
  constructor(
    @InjectModel(DeletedAccount.name) private readonly accounts: Model<DeletedAccount>,
    private readonly clock: Clock,
  ) {}

  /** Before the user's record goes, or in the same transaction. */
  async mark(user: Types.ObjectId, transaction: ClientSession | null): Promise<void> {
    await this.accounts.updateOne(
      { _id: user },
      { $set: { deletedAt: this.clock.now() } },
      { upsert: true, ...inTransaction(transaction) },
    );
  }

  /** The ids of deleted accounts, the oldest first. */
  async *all(): AsyncGenerator<Types.ObjectId> {
    const accounts = this.accounts
      .find({ deletedAt: { $gt: new Date(0) } })
      .sort({ deletedAt: 1 })
      .lean<DeletedAccount[]>()
      .cursor();
    for await (const { _id } of accounts) yield _id;
  }

  /** Forgets an account that was swept, unless requests of its owner may still be running. */
  async forgetSettled(user: Types.ObjectId): Promise<void> {
    const before = new Date(this.clock.now().getTime() - SETTLED_MS);
    await this.accounts.deleteOne({ _id: user, deletedAt: { $lt: before } }, { hint: { _id: 1 } });
  }
}
