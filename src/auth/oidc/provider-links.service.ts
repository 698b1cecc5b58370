import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { ClientSession, Model, Types } from 'mongoose';
import { AuditService, type Actor } from '../../events/audit/audit.service.js';
import { Clock } from '../../platform/clock.js';
import { isDuplicateKey } from '../../platform/database/is-duplicate-key.js';
import { inTransaction } from '../../platform/database/transaction-option.js';
import { AlreadyRegisteredError } from '../../user/user.errors.js';
import { ProviderLink } from './provider-link.schema.js';

type Person = Pick<ProviderLink, 'issuer' | 'subject'>;

/** Stores which account belongs to which person at the provider. */
@Injectable()
export class ProviderLinks {
  constructor(
    @InjectModel(ProviderLink.name) private readonly links: Model<ProviderLink>,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /** @returns the account of the person; null if there is none */
  async findUser({ issuer, subject }: Person): Promise<Types.ObjectId | null> {
    const link = await this.links
      .findOne({ issuer, subject })
      .read('primary')
      .lean<ProviderLink | null>();
    return link?.user ?? null;
  }

  /** @throws AlreadyRegisteredError if the person has an account meanwhile */
  async add(
    user: Types.ObjectId,
    { issuer, subject }: Person,
    { clientPrefix }: Pick<Actor, 'clientPrefix'>,
    transaction: ClientSession | null,
  ): Promise<void> {
    const now = this.clock.now();
    const link = { user, issuer, subject, createdAt: now, lastUsedAt: now };
    try {
      await this.links.create([link], inTransaction(transaction));
    } catch (error) {
      if (isDuplicateKey(error, 'subject')) throw new AlreadyRegisteredError();
      throw error;
    }
    const actor = { userId: user, ...(clientPrefix === undefined ? {} : { clientPrefix }) };
    await this.audit.record({ kind: 'provider.linked', actor, subject: user }, transaction);
  }

  async noteUse({ issuer, subject }: Person, transaction: ClientSession | null): Promise<void> {
    await this.links.updateOne(
      { issuer, subject },
      { $set: { lastUsedAt: this.clock.now() } },
      inTransaction(transaction),
    );
  }

  /** Removes the links of an account. @param since only those that were added after this time */
  async removeOf(
    user: Types.ObjectId,
    transaction: ClientSession | null,
    since = new Date(0),
  ): Promise<void> {
    await this.links.deleteMany({ user, createdAt: { $gte: since } }, inTransaction(transaction));
  }
}
