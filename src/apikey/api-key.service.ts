import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Types, type Model } from 'mongoose';
import { SecretBox } from '../auth/keys/secret-box.service.js';
import { AuditService, NOBODY, type Actor } from '../events/audit/audit.service.js';
import { Clock } from '../platform/clock.js';
import type { Access } from '../platform/http/access/access.decorator.js';
import { opens, storedBits, type KeyScope } from '../platform/http/access/key-scopes/key-scope.js';
import type { MigrationReport } from '../platform/database/migrations/migration.js';
import { SecretGoneError } from '../platform/http/errors/api.errors.js';
import { newText, replacementOf } from '../platform/http/validation/new-text.js';
import type { Creation } from '../platform/idempotency/creation.js';
import { Idempotency } from '../platform/idempotency/idempotency.service.js';
import { inTransaction } from '../platform/database/transaction-option.js';
import { isDuplicateKey } from '../platform/database/is-duplicate-key.js';
import { CacheCoherenceService } from '../platform/caching/cache-coherence.service.js';
import { modelFor } from '../platform/caching/causal-read-barrier.js';
import { Cache } from '../platform/caching/cache.js';
import { LastUse, type UsedRecord } from '../platform/caching/last-use.js';
import { generateApiKey, hasExpired, hashApiKey, isPlausibleApiKey } from './api-key.js';
import { hashPlainKeys, storedFieldsOf } from './api-key.migration.js';
import { API_KEY } from './api-key.cache.js';
import {
  ApiKeyNotFoundError,
  ExpiredApiKeyError,
  InvalidApiKeyError,
  MissingApiKeyError,
  PastExpiryError,
} from './api-key.errors.js';
import { ApiKey } from './api-key.schema.js';
import { toApiKeyView, type ApiKeyView, type CreatedApiKeyView } from './views/api-key.view.js';

/** The fields that an admin may set. */
export interface ApiKeyInput {
  readonly enabled?: boolean | undefined;
  readonly comment?: string | undefined;
  /** The new expiry; null removes it. */
  readonly expiresAt?: Date | null | undefined;
  /** The routes that the key opens; null for all. */
  readonly scopes?: readonly KeyScope[] | null | undefined;
}

/** Largest number of cached keys; they take about 5 MB. */
const MAX_CACHED = 10_000;

/** For so many milliseconds after a key was read, the cache serves it without the lease (docs/adr/0007). */
const GRACE_MS = 1_000;

/** A cached key. Only enabled keys are cached. */
interface CachedKey extends UsedRecord {
  /** The stored expiry: any value, because records may be edited by hand. */
  readonly expiresAt: unknown;
  /** The bits of its scopes. */
  readonly scopes: number;
}

@Injectable()
export class ApiKeyService {
  /** The cache is keyed by the plain API key, because a hash per request would cost too much. */
  private readonly cache: Cache<CachedKey>;
  private readonly lastUse: LastUse;

  constructor(
    @InjectModel(ApiKey.name) private readonly apiKeys: Model<ApiKey>,
    private readonly clock: Clock,
    private readonly coherence: CacheCoherenceService,
    private readonly idempotency: Idempotency,
    private readonly box: SecretBox,
    private readonly audit: AuditService,
  ) {
    this.lastUse = new LastUse(apiKeys);
    this.cache = new Cache(coherence, {
      name: 'api-keys',
      dependsOn: [API_KEY],
      bounds: { max: MAX_CACHED },
      graceMs: GRACE_MS,
    });
  }

  /**
   * @param presented the `x-api-key` header as received
   * @returns the bits of the key's scopes
   * @throws MissingApiKeyError
   * @throws InvalidApiKeyError when the key is malformed, unknown or disabled
   * @throws ExpiredApiKeyError
   */
  async verify(presented: string | readonly string[] | undefined): Promise<number> {
    if (presented === undefined || presented === '') throw new MissingApiKeyError();
    if (typeof presented !== 'string' || !isPlausibleApiKey(presented)) {
      throw new InvalidApiKeyError();
    }
    const key = await this.cache.get(presented, async () => {
      const value = await this.find(presented);
      return value && { value, dependsOn: [API_KEY.record(value.id)] };
    });
    if (!key) throw new InvalidApiKeyError();
    if (!this.accept(key)) throw new ExpiredApiKeyError();
    return key.scopes;
  }

  /**
   * Whether the key is cached, opens the route and is valid now. If true, its use is recorded. If false, `verify`
   * decides.
   *
   * @param presented the `x-api-key` header as received
   */
  isCachedAndValid(
    presented: string | readonly string[] | undefined,
    { scopes }: Pick<Access, 'scopes'>,
  ): boolean {
    const held = this.cachedScopes(presented);
    return held !== null && opens(held, scopes);
  }

  /**
   * @param presented the `x-api-key` header as received
   * @returns the bits of the key's scopes, if the key is cached and valid now; its use is then recorded. If null,
   *   `verify` decides
   */
  cachedScopes(presented: string | readonly string[] | undefined): number | null {
    if (typeof presented !== 'string') return null;
    const key = this.cache.peek(presented);
    return key !== undefined && this.accept(key) ? key.scopes : null;
  }

  async list(): Promise<ApiKeyView[]> {
    const apiKeys = await this.coherence.read((options) =>
      this.apiKeys.find({}, null, options).sort({ _id: -1 }).lean<ApiKey[]>(),
    );
    return apiKeys
      .map(toApiKeyView)
      .sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
  }

  /**
   * @param creation if given, the API key is derived from it, so that the response to a repeated
   *   request shows the same API key; if null, the API key is random
   * @throws PastExpiryError
   * @throws SecretGoneError for a repeated request, when the signing key from which the API key was
   *   derived is not configured any more
   */
  async create(
    { comment, expiresAt, scopes }: ApiKeyInput,
    actor: Actor,
    creation: Creation | null = null,
  ): Promise<CreatedApiKeyView> {
    const secrets = creation ? this.box.derive('api key', creation) : [undefined];
    const keys = secrets.map((bytes) => generateApiKey(bytes));
    const created = await this.idempotency.once<ApiKey>(creation, {
      records: this.apiKeys,
      insert: async (creationFields) => {
        if (hasExpired(expiresAt, this.clock.now())) throw new PastExpiryError();
        const fields = {
          ...creationFields,
          ...storedFieldsOf(keys[0] ?? generateApiKey()),
          ...(comment ? { comments: [comment] } : {}),
          ...(expiresAt ? { expiresAt } : {}),
          ...(scopes ? { scopes } : {}),
        };
        return this.insert(fields, actor);
      },
      gone: () => new ApiKeyNotFoundError(),
    });
    const key = keys.find((candidate) => hashApiKey(candidate) === created.keyHash);
    if (key === undefined) throw new SecretGoneError();
    return { ...toApiKeyView(created), key };
  }

  private async insert(
    { _id = new Types.ObjectId(), ...fields }: Partial<ApiKey>,
    actor: Actor,
  ): Promise<ApiKey> {
    let inserted: ApiKey | undefined;
    await this.coherence.transaction([], async (transaction) => {
      const options = inTransaction(transaction);
      const [record] = await this.apiKeys.create([{ _id, ...fields }], options);
      inserted = record?.toObject();
      await this.audit.record({ kind: 'key.created', actor, subject: _id }, transaction);
    });
    return inserted as ApiKey;
  }

  /**
   * Stores the hash of a key.
   *
   * @returns false when the key is already stored, hashed or plain
   */
  async storeIfMissing(key: string, comment: string): Promise<boolean> {
    const exists = await this.apiKeys.exists({ $or: [{ keyHash: hashApiKey(key) }, { key }] });
    if (exists) return false;
    try {
      await this.insert({ ...storedFieldsOf(key), comments: [comment] }, NOBODY);
      return true;
    } catch (error) {
      if (isDuplicateKey(error, 'keyHash')) return false;
      throw error;
    }
  }

  /** Does what the function `hashPlainKeys` does. */
  hashPlainKeys(options: { readonly dryRun: boolean }): Promise<MigrationReport> {
    return hashPlainKeys(this.apiKeys, options);
  }

  /**
   * Changes the given fields. A client may send the stored comment and expiry back, even if they could
   * not be stored anew.
   *
   * @throws ApiKeyNotFoundError @throws PastExpiryError @throws InvalidBodyError for the comment
   */
  async change(id: Types.ObjectId, changes: ApiKeyInput, actor: Actor): Promise<ApiKeyView> {
    const { enabled, expiresAt, scopes } = changes;
    const removed = {
      ...(expiresAt === null ? { expiresAt: 1 } : {}),
      ...(scopes === null ? { scopes: 1 } : {}),
    } as const;
    const comment =
      changes.comment === undefined
        ? undefined
        : await replacementOf('comment', changes.comment, newText, () => this.commentOf(id));
    const isPast = hasExpired(expiresAt, this.clock.now());
    let changed: ApiKey | null = null;
    await this.coherence.transaction([API_KEY.record(id)], async (transaction) => {
      changed = await this.apiKeys
        .findOneAndUpdate(
          { _id: id, ...(expiresAt && isPast ? { expiresAt } : {}) },
          {
            $set: {
              ...(enabled === undefined ? {} : { status: enabled }),
              ...(comment === undefined ? {} : { comments: [comment] }),
              ...(expiresAt ? { expiresAt } : {}),
              ...(scopes ? { scopes } : {}),
            },
            ...(Object.keys(removed).length > 0 ? { $unset: removed } : {}),
          },
          { returnDocument: 'after', ...inTransaction(transaction) },
        )
        .lean<ApiKey | null>();
      if (!changed) return;
      const details = enabled === undefined ? {} : { details: { enabled } };
      await this.audit.record({ kind: 'key.changed', actor, subject: id, ...details }, transaction);
    });
    if (changed) return toApiKeyView(changed);
    const exists = isPast && (await this.apiKeys.exists({ _id: id })) !== null;
    throw exists ? new PastExpiryError() : new ApiKeyNotFoundError();
  }

  private async commentOf(id: Types.ObjectId): Promise<string | undefined> {
    const stored = await this.apiKeys.findById(id).lean<ApiKey | null>();
    return stored ? toApiKeyView(stored).comment : undefined;
  }

  /** @throws ApiKeyNotFoundError */
  async remove(id: Types.ObjectId, actor: Actor): Promise<void> {
    await this.idempotency.beforeRemoval(this.apiKeys, { _id: id });
    await this.coherence.transaction([API_KEY.record(id)], async (transaction) => {
      const options = inTransaction(transaction);
      const { deletedCount } = await this.apiKeys.deleteOne({ _id: id }, options);
      if (deletedCount === 0) throw new ApiKeyNotFoundError();
      await this.audit.record({ kind: 'key.deleted', actor, subject: id }, transaction);
    });
  }

  private async find(presented: string): Promise<CachedKey | null> {
    const apiKey = await this.coherence.publicRead((options) =>
      modelFor(this.apiKeys, options)
        .findOne({ $or: [{ keyHash: hashApiKey(presented) }, { key: presented }], status: true })
        .select(['expiresAt', 'lastUsedAt', 'scopes'])
        .setOptions(options)
        .lean<ApiKey | null>(),
    );
    if (!apiKey) return null;
    const { _id, expiresAt, lastUsedAt, scopes } = apiKey;
    return {
      id: _id,
      expiresAt,
      scopes: storedBits(scopes),
      lastUsedAt: lastUsedAt instanceof Date ? lastUsedAt.getTime() : 0,
    };
  }

  private accept(key: CachedKey): boolean {
    const now = this.clock.now();
    if (hasExpired(key.expiresAt, now)) return false;
    this.lastUse.note(key, now);
    return true;
  }
}
