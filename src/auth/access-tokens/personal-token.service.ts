import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { ClientSession, Model, Types } from 'mongoose';
import ms from 'ms';
import { AuditService } from '../../events/audit/audit.service.js';
import { CacheCoherenceService } from '../../platform/caching/cache-coherence.service.js';
import { Cache } from '../../platform/caching/cache.js';
import { LastUse, type UsedRecord } from '../../platform/caching/last-use.js';
import { Clock } from '../../platform/clock.js';
import { BY_ID } from '../../platform/database/query-hints.js';
import { inTransaction } from '../../platform/database/transaction-option.js';
import type { Caller } from '../../platform/http/access/current-user.decorator.js';
import type { RoleCode } from '../../platform/http/access/role-code.js';
import { InvalidBodyError, SecretGoneError } from '../../platform/http/errors/api.errors.js';
import type { Creation } from '../../platform/idempotency/creation.js';
import { Idempotency } from '../../platform/idempotency/idempotency.service.js';
import { hashSecret, SecretForm } from '../../platform/text/secret-form.js';
import { ROLE } from '../../user/schemas/role.cache.js';
import { USER } from '../../user/schemas/user.cache.js';
import { ACCOUNT_LOOKUP, enabledAccountOf, type WithAccount } from '../session/account-lookup.js';
import { MAX_TOKENS, TokenNotFoundError, TooManyTokensError } from '../auth.errors.js';
import { SecretBox } from '../keys/secret-box.service.js';
import { CreateTokenDto } from './create-token.dto.js';
import { PERSONAL_TOKEN } from './personal-token.cache.js';
import { PersonalToken } from './personal-token.schema.js';
import {
  TOKEN_VIEW_FIELDS,
  toPersonalTokenView,
  type CreatedTokenView,
  type PersonalTokenView,
} from './personal-token.view.js';

/** `prt_` marks a token as a personal access token of Pressroom. */
const FORM = new SecretForm('prt_');

const DEFAULT_LIFETIME_MS = ms('90d');
const MAX_LIFETIME_MS = ms('366d');

/** Largest number of cached tokens; they take about 5 MB. */
const MAX_CACHED = 10_000;

/** Whose valid token it is, and which roles it grants now. */
export interface TokenOwner {
  readonly userId: Types.ObjectId;
  readonly roles: readonly RoleCode[];
  readonly isUnverified: boolean;
  readonly factor?: string;
}

interface CachedToken extends TokenOwner, UsedRecord {
  readonly expiresAt: Date;
}

/** A token with its owner's account. `granted` are the roles of the token, `roles` those of the account. */
interface StoredToken
  extends WithAccount, Pick<PersonalToken, '_id' | 'user' | 'factor' | 'expiresAt' | 'lastUsedAt'> {
  readonly granted: PersonalToken['roles'];
}

/** Creates, lists, checks and deletes personal access tokens. */
@Injectable()
export class PersonalTokenService {
  /** The cache is keyed by the hash of the token. */
  private readonly cache: Cache<CachedToken>;
  private readonly lastUse: LastUse;

  constructor(
    @InjectModel(PersonalToken.name) private readonly tokens: Model<PersonalToken>,
    private readonly clock: Clock,
    private readonly coherence: CacheCoherenceService,
    private readonly idempotency: Idempotency,
    private readonly box: SecretBox,
    private readonly audit: AuditService,
  ) {
    this.lastUse = new LastUse(tokens);
    this.cache = new Cache(coherence, {
      name: 'personal-tokens',
      dependsOn: [PERSONAL_TOKEN, USER, ROLE],
      bounds: { max: MAX_CACHED },
    });
  }

  /**
   * @param creation if given, the token is derived from it, so that the response to a repeated request shows the
   *   same token; if null, the token is random
   * @throws InvalidBodyError for a role that the owner lacks, and for an expiry that is past or too late
   * @throws TooManyTokensError
   * @throws TokenNotFoundError for a repeated request, when the token was deleted or has expired
   * @throws SecretGoneError for a repeated request, when the signing key from which the token was derived is not
   *   configured any more
   */
  async create(
    caller: Caller,
    dto: CreateTokenDto,
    creation: Creation | null,
  ): Promise<CreatedTokenView> {
    const secrets = creation ? this.box.derive('personal token', creation) : [undefined];
    const candidates = secrets.map((bytes) => FORM.generate(bytes));
    const created = await this.idempotency.once<PersonalToken>(creation, {
      records: this.tokens,
      insert: (fields) => this.insert(caller, dto, candidates[0] ?? FORM.generate(), fields),
      gone: () => new TokenNotFoundError(),
      expires: true,
    });
    // The RemovedRecord is stored before the token expires, so that a late repetition makes no second token.
    if (creation) await this.idempotency.storeRemoved(creation, created.expiresAt);
    const token = candidates.find((candidate) => hashSecret(candidate) === created.tokenHash);
    if (token === undefined) throw new SecretGoneError();
    return { ...toPersonalTokenView(created), token };
  }

  private async insert(
    caller: Caller,
    { name, roles, expiresAt }: CreateTokenDto,
    token: string,
    creation: Partial<Creation>,
  ): Promise<PersonalToken> {
    const createdAt = this.clock.now();
    this.check(caller, roles, expiresAt, createdAt);
    const { userId: user } = caller;
    if ((await this.list(user)).length >= MAX_TOKENS) throw new TooManyTokensError();
    const record = new this.tokens({
      ...creation,
      user,
      name,
      tokenHash: hashSecret(token),
      roles,
      ...(caller.factor === undefined ? {} : { factor: caller.factor }),
      createdAt,
      expiresAt: expiresAt ?? new Date(createdAt.getTime() + DEFAULT_LIFETIME_MS),
    }).toObject();
    await this.coherence.transaction([], async (transaction) => {
      await this.tokens.create([record], inTransaction(transaction));
      const act = { actor: caller, subject: record._id, details: { roles } };
      await this.audit.record({ kind: 'token.created', ...act }, transaction);
    });
    return record;
  }

  private check(
    caller: Caller,
    roles: readonly RoleCode[],
    expiresAt: Date | undefined,
    now: Date,
  ): void {
    if (!roles.every((role) => caller.roles.includes(role))) {
      throw new InvalidBodyError([{ field: 'roles', message: 'roles must be among your own' }]);
    }
    const lifetime = expiresAt ? expiresAt.getTime() - now.getTime() : DEFAULT_LIFETIME_MS;
    if (lifetime <= 0 || lifetime > MAX_LIFETIME_MS) {
      const message = 'expiresAt must be in the future, in a year at most';
      throw new InvalidBodyError([{ field: 'expiresAt', message }]);
    }
  }

  /** The user's tokens that have not expired, newest first. */
  async list(user: Types.ObjectId): Promise<PersonalTokenView[]> {
    const tokens = await this.coherence.read((options) =>
      this.tokens
        .find({ user, expiresAt: { $gt: this.clock.now() } }, null, options)
        .sort({ createdAt: -1, _id: -1 })
        .select(TOKEN_VIEW_FIELDS)
        .lean<PersonalToken[]>(),
    );
    return tokens.map(toPersonalTokenView);
  }

  /** @throws TokenNotFoundError when the token is unknown, or belongs to another user */
  async remove(caller: Caller, id: Types.ObjectId): Promise<void> {
    const filter = { _id: id, user: caller.userId };
    await this.coherence.transaction([PERSONAL_TOKEN.record(id)], async (transaction) => {
      const options = { ...BY_ID, ...inTransaction(transaction) };
      const { deletedCount } = await this.tokens.deleteOne(filter, options);
      if (deletedCount === 0) throw new TokenNotFoundError();
      await this.audit.record({ kind: 'token.deleted', actor: caller, subject: id }, transaction);
    });
  }

  /** Removes all tokens of a user. The transaction must invalidate the cached tokens. */
  async removeAll(
    user: Types.ObjectId,
    transaction: ClientSession | null,
    since = new Date(0),
  ): Promise<void> {
    const filter = { user, createdAt: { $gte: since } };
    await this.tokens.deleteMany(filter, inTransaction(transaction));
  }

  /** @returns null when the token is unknown or has expired, or its owner was deleted or is disabled */
  async findOwner(token: string): Promise<TokenOwner | null> {
    if (!FORM.matches(token) || FORM.isMistyped(token)) return null;
    const tokenHash = hashSecret(token);
    const found = await this.cache.get(tokenHash, async () => {
      const value = await this.read(tokenHash);
      if (!value) return null;
      return { value, dependsOn: [PERSONAL_TOKEN.record(value.id), USER.record(value.userId)] };
    });
    const now = this.clock.now();
    if (!found || found.expiresAt <= now) return null;
    this.lastUse.note(found, now);
    return found;
  }

  private async read(tokenHash: string): Promise<CachedToken | null> {
    const [found] = await this.coherence.read((options) =>
      this.tokens.aggregate<StoredToken>(
        [
          { $match: { tokenHash } },
          { $project: { user: 1, granted: '$roles', factor: 1, expiresAt: 1, lastUsedAt: 1 } },
          ...ACCOUNT_LOOKUP,
        ],
        options,
      ),
    );
    const account = found && enabledAccountOf(found);
    if (!account) return null;
    const { _id, user, granted, factor, expiresAt, lastUsedAt } = found;
    return {
      id: _id,
      userId: user,
      roles: account.roles.filter((role) => granted.includes(role)),
      isUnverified: account.isUnverified,
      ...(factor === undefined ? {} : { factor }),
      expiresAt,
      lastUsedAt: lastUsedAt?.getTime() ?? 0,
    };
  }
}
