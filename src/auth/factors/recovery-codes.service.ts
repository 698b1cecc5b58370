import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { ClientSession, Model, Types } from 'mongoose';
import { Clock } from '../../platform/clock.js';
import { inTransaction } from '../../platform/database/transaction-option.js';
import { Factor } from './factor.schema.js';

const COUNT = 10;
/** Random bytes of a code: 120 bits, so that a fast hash of it is safe. */
const CODE_BYTES = 15;
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Codes that each sign in once, for an owner who has lost the factor. */
@Injectable()
export class RecoveryCodes {
  constructor(
    @InjectModel(Factor.name) private readonly factors: Model<Factor>,
    private readonly clock: Clock,
  ) {}

  /** Makes new codes, and ends the former ones. @returns the codes, of which only hashes are stored */
  async renew(user: Types.ObjectId, transaction: ClientSession | null): Promise<string[]> {
    const codes = Array.from({ length: COUNT }, newCode);
    await this.factors.updateOne(
      { user, kind: 'recovery' },
      { $set: { codes: codes.map(hashOf), createdAt: this.clock.now() } },
      { upsert: true, ...inTransaction(transaction) },
    );
    return codes;
  }

  /** Makes codes for an account that has none. @returns an empty list for one that has some */
  async makeIfMissing(user: Types.ObjectId, transaction: ClientSession | null): Promise<string[]> {
    return (await this.countLeft(user, transaction)) > 0 ? [] : this.renew(user, transaction);
  }

  async countLeft(user: Types.ObjectId, transaction: ClientSession | null = null): Promise<number> {
    const found = await this.factors
      .findOne({ user, kind: 'recovery' })
      .session(transaction)
      .lean<Factor | null>();
    return found?.codes?.length ?? 0;
  }

  /** Uses a code. @returns false if it is not one of those that are left */
  async use(user: Types.ObjectId, code: string): Promise<boolean> {
    const hash = hashOf(code);
    const { modifiedCount } = await this.factors.updateOne(
      { user, kind: 'recovery', codes: hash },
      { $pull: { codes: hash }, $set: { lastUsedAt: this.clock.now() } },
    );
    return modifiedCount === 1;
  }
}

/** A code such as `k3pq-7xva-m2ds-9tfe-h4wn-cz6r`, without the characters l, o, 0 and 1. */
function newCode(): string {
  let bits = BigInt(`0x${randomBytes(CODE_BYTES).toString('hex')}`);
  const characters = Array.from({ length: (CODE_BYTES * 8) / 5 }, () => {
    const character = ALPHABET.charAt(Number(bits % 32n));
    bits /= 32n;
    return character;
  });
  return characters.join('').replace(/(....)(?=.)/g, '$1-');
}

/** Case, blanks and hyphens do not count. */
function hashOf(code: string): string {
  const plain = code.toLowerCase().replace(/[\s-]/g, '');
  return createHash('sha256').update(plain).digest('base64url');
}
