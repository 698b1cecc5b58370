import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { ClientSession, Model, Types } from 'mongoose';
import { Clock } from '../../platform/clock.js';
import { BY_ID } from '../../platform/database/query-hints.js';
import { inTransaction } from '../../platform/database/transaction-option.js';
import { ONE_TIME_TOKENS, type OneTimeTokenKind } from './one-time-token-kinds.js';
import { OneTimeToken, type TokenData } from './one-time-token.schema.js';

const TOKEN_BYTES = 32;

export interface TokenOptions {
  readonly owner?: Types.ObjectId;
  readonly data?: TokenData;
}

/** A new token: 32 random bytes in base64url. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** Issues tokens that work once, and checks them. Only their hashes are stored. */
@Injectable()
export class OneTimeTokens {
  constructor(
    @InjectModel(OneTimeToken.name) private readonly tokens: Model<OneTimeToken>,
    private readonly clock: Clock,
  ) {}

  /** When a token of this kind ends that is issued now. */
  endOf(kind: OneTimeTokenKind): Date {
    return new Date(this.clock.now().getTime() + ONE_TIME_TOKENS[kind]);
  }

  /** @returns the token, which is not stored */
  async issue(
    kind: OneTimeTokenKind,
    options: TokenOptions,
    transaction: ClientSession | null = null,
  ): Promise<string> {
    const token = newToken();
    await this.store(kind, token, { ...options, expiresAt: this.endOf(kind) }, transaction);
    return token;
  }

  /** Stores a token that was made before. A repeated call changes nothing, even if the token was used meanwhile. */
  async store(
    kind: OneTimeTokenKind,
    token: string,
    { owner, data, expiresAt }: TokenOptions & { readonly expiresAt: Date },
    transaction: ClientSession | null = null,
  ): Promise<void> {
    await this.tokens.updateOne(
      { _id: hashOf(token) },
      {
        $setOnInsert: {
          kind,
          createdAt: this.clock.now(),
          expiresAt,
          ...(owner ? { owner } : {}),
          ...(data ? { data } : {}),
        },
      },
      { upsert: true, ...inTransaction(transaction) },
    );
  }

  /** @returns null for a token that is unknown, was used or has expired */
  async find(kind: OneTimeTokenKind, token: string): Promise<OneTimeToken | null> {
    return this.tokens
      .findOne(this.isValid(kind, token), null, { ...BY_ID })
      .read('primary')
      .lean<OneTimeToken | null>();
  }

  /**
   * Uses a token, and erases what it stands for. Of two calls with the same token, only one gets it.
   *
   * @returns the token as it was; null as `find` does
   */
  async consume(
    kind: OneTimeTokenKind,
    token: string,
    transaction: ClientSession | null = null,
  ): Promise<OneTimeToken | null> {
    return this.tokens
      .findOneAndUpdate(
        this.isValid(kind, token),
        { $set: { usedAt: this.clock.now() }, $unset: { data: 1 } },
        { ...BY_ID, ...inTransaction(transaction) },
      )
      .lean<OneTimeToken | null>();
  }

  /** Whether another token of this kind than the given one was issued to the owner since a time. */
  async hasOther(
    kind: OneTimeTokenKind,
    owner: Types.ObjectId,
    { token, since }: { readonly token: string; readonly since: Date },
  ): Promise<boolean> {
    const other = await this.tokens
      .findOne({ owner, kind, createdAt: { $gt: since }, _id: { $ne: hashOf(token) } })
      .select(['_id'])
      .read('primary')
      .lean();
    return other !== null;
  }

  /** Ends all tokens of this kind that the owner has but the newest ones. */
  async keepNewest(kind: OneTimeTokenKind, owner: Types.ObjectId, count: number): Promise<void> {
    const surplus = await this.tokens
      .find({ owner, kind })
      .sort({ createdAt: -1 })
      .skip(count)
      .select(['_id'])
      .lean<Pick<OneTimeToken, '_id'>[]>();
    if (surplus.length === 0) return;
    await this.tokens.deleteMany({ _id: { $in: surplus.map(({ _id }) => _id) } });
  }

  /** Ends the tokens of these kinds that the owner has. */
  async end(
    owner: Types.ObjectId,
    kinds: readonly OneTimeTokenKind[],
    transaction: ClientSession | null = null,
  ): Promise<void> {
    await this.tokens.deleteMany({ owner, kind: { $in: kinds } }, inTransaction(transaction));
  }

  /** Ends all tokens of an owner. */
  async endAll(owner: Types.ObjectId, transaction: ClientSession | null): Promise<void> {
    await this.tokens.deleteMany({ owner }, inTransaction(transaction));
  }

  /** Ends the tokens of an owner but the links that take back changes of address before a time. */
  async endButUndo(
    owner: Types.ObjectId,
    before: Date,
    transaction: ClientSession | null,
  ): Promise<void> {
    const ended = [{ kind: { $ne: 'emailUndo' as const } }, { createdAt: { $gte: before } }];
    await this.tokens.deleteMany({ owner, $or: ended }, inTransaction(transaction));
  }

  private isValid(kind: OneTimeTokenKind, token: string): object {
    return {
      _id: hashOf(token),
      kind,
      usedAt: { $exists: false },
      expiresAt: { $gt: this.clock.now() },
    };
  }
}

/** SHA-256 in base64url. A fast hash is safe, because a token has 256 random bits. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
