import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { ClientSession, Model, Types } from 'mongoose';
import { Clock } from '../platform/clock.js';
import { isDuplicateKey } from '../platform/database/is-duplicate-key.js';
import { BY_ID } from '../platform/database/query-hints.js';
import { inTransaction } from '../platform/database/transaction-option.js';
import { ReservedAddress } from './schemas/reserved-address.schema.js';
import { User } from './schemas/user.schema.js';
import { AlreadyRegisteredError } from './user.errors.js';

export interface AddressChange {
  readonly user: Types.ObjectId;
  readonly from: string;
  readonly to: string;
}

/** The email addresses of accounts, and the former ones that are reserved. */
@Injectable()
export class AddressService {
  constructor(
    @InjectModel(User.name) private readonly users: Model<User>,
    @InjectModel(ReservedAddress.name) private readonly reserved: Model<ReservedAddress>,
    private readonly clock: Clock,
  ) {}

  /** Whether no other account than `user` may have the address, because an account has it or has reserved it. */
  async isTaken(email: string, user?: Types.ObjectId): Promise<boolean> {
    const owner = await this.users.findOne({ email }).select(['_id']).lean<User | null>();
    if (owner) return !user || !owner._id.equals(user);
    return this.isReserved(email, user);
  }

  /** Whether another account than `user` has reserved the address. */
  async isReserved(
    email: string,
    user?: Types.ObjectId,
    transaction: ClientSession | null = null,
  ): Promise<boolean> {
    const filter = { _id: email, until: { $gt: this.clock.now() } };
    const reserved = await this.reserved
      .findOne({ ...filter, ...(user ? { user: { $ne: user } } : {}) }, null, { ...BY_ID })
      .session(transaction)
      .read('primary')
      .lean<ReservedAddress | null>();
    return reserved !== null;
  }

  /**
   * Changes the address of an account, which is verified from then on.
   *
   * @returns false if the account no longer has the address `from`
   * @throws AlreadyRegisteredError
   */
  async change(
    { user, from, to }: AddressChange,
    transaction: ClientSession | null,
  ): Promise<boolean> {
    try {
      const { matchedCount } = await this.users.updateOne(
        { _id: user, email: from },
        { $set: { email: to }, $unset: { isUnverified: 1 } },
        inTransaction(transaction),
      );
      return matchedCount === 1;
    } catch (error) {
      if (isDuplicateKey(error, 'email')) throw new AlreadyRegisteredError();
      throw error;
    }
  }

  /** Marks the address of an account as confirmed. @returns false if the account no longer has this address */
  async setVerified(
    id: Types.ObjectId,
    email: string,
    transaction: ClientSession | null,
  ): Promise<boolean> {
    const { matchedCount } = await this.users.updateOne(
      { _id: id, email },
      { $unset: { isUnverified: 1 } },
      inTransaction(transaction),
    );
    return matchedCount === 1;
  }

  /** @returns null for an account whose address is confirmed, or need not be */
  async findUnverified(id: Types.ObjectId): Promise<Pick<User, '_id' | 'email'> | null> {
    return this.users
      .findOne({ _id: id, isUnverified: true }, null, { ...BY_ID })
      .select(['email'])
      .lean<Pick<User, '_id' | 'email'> | null>();
  }

  /** Reserves a former address for its account. */
  async reserve(
    email: string,
    { user, until }: Pick<ReservedAddress, 'user' | 'until'>,
    transaction: ClientSession | null,
  ): Promise<void> {
    await this.reserved.updateOne(
      { _id: email },
      { $set: { user, until } },
      { upsert: true, ...inTransaction(transaction) },
    );
  }

  /** Ends the reservations of an account. */
  async release(user: Types.ObjectId, transaction: ClientSession | null): Promise<void> {
    await this.reserved.deleteMany({ user }, inTransaction(transaction));
  }

  /** Ends the reservation of an address that its account has again, and those of later changes. */
  async releaseSince(
    { user, email, until }: Pick<ReservedAddress, 'user' | 'until'> & { readonly email: string },
    transaction: ClientSession | null,
  ): Promise<void> {
    const ended = [{ _id: email }, { until: { $gt: until } }];
    await this.reserved.deleteMany({ user, $or: ended }, inTransaction(transaction));
  }
}
