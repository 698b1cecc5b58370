import { Injectable, Logger } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import type { CacheDependency } from '../common/cache-subject.js';
import { Clock } from '../common/clock.js';
import type { MigrationReport } from '../database/migrations/migration.js';
import { isDuplicateKey } from '../database/is-duplicate-key.js';
import { CacheCoherenceService } from '../cache/cache-coherence.service.js';
import { Cache } from '../cache/cache.js';
import { generateApiKey, hashApiKey, isPlausibleApiKey, prefixOf } from './api-key.js';
import { API_KEY } from './api-key.cache.js';
import { ApiKeyNotFoundError, InvalidApiKeyError, MissingApiKeyError } from './api-key.errors.js';
import { ApiKey } from './api-key.schema.js';
import { toApiKeyView, type ApiKeyView, type CreatedApiKeyView } from './views/api-key.view.js';

/** `lastUsedAt` is for people; once a minute is exact enough and costs next to nothing. */
const LAST_USED_STEP_MS = 60_000;

export interface ApiKeyChanges {
  readonly enabled?: boolean | undefined;
  readonly comment?: string | undefined;
  /** null removes the expiry. */
  readonly expiresAt?: Date | null | undefined;
}

/** Cached keys at most, about 5 MB. */
const MAX_CACHED = 10_000;

/** Without the lease a key is looked up anew after this long: a change shows within two seconds. */
const GRACE_MS = 1_000;

/** A key that is enabled. */
interface KnownKey {
  readonly id: Types.ObjectId;
  /** As stored. */
  readonly expiresAt: unknown;
  /** Milliseconds since the epoch; 0 for never. */
  lastUsedAt: number;
}

@Injectable()
export class ApiKeyService {
  private readonly logger = new Logger(ApiKeyService.name);
  /** By the key as it was presented: hashing it would be much of the cost of a cached answer. */
  private readonly known: Cache<KnownKey>;

  constructor(
    @InjectModel(ApiKey.name) private readonly apiKeys: Model<ApiKey>,
    private readonly clock: Clock,
    private readonly coherence: CacheCoherenceService,
  ) {
    this.known = new Cache(coherence, {
      dependsOn: [API_KEY],
      bounds: { max: MAX_CACHED },
      graceMs: GRACE_MS,
    });
  }

  /**
   * @param presented the `x-api-key` header as received
   * @throws MissingApiKeyError @throws InvalidApiKeyError unknown, disabled, expired, too long
   */
  async verify(presented: string | readonly string[] | undefined): Promise<void> {
    if (presented === undefined || presented === '') throw new MissingApiKeyError();
    if (typeof presented !== 'string' || !isPlausibleApiKey(presented)) {
      throw new InvalidApiKeyError();
    }
    if (this.isKnown(presented)) return;
    const key = await this.known.get(presented, async () => {
      const value = await this.find(presented);
      return value && { value, dependsOn: [API_KEY.record(value.id.toHexString())] };
    });
    if (!key || !this.accept(key)) throw new InvalidApiKeyError();
  }

  /** Whether the key is cached and good now; false does not mean that it is invalid. */
  isKnown(presented: string): boolean {
    const key = this.known.peek(presented);
    return key !== undefined && this.accept(key);
  }

  async list(): Promise<ApiKeyView[]> {
    const apiKeys = await this.apiKeys.find().sort({ _id: -1 }).lean<ApiKey[]>();
    return apiKeys.map(toApiKeyView);
  }

  async create({ comment, expiresAt }: ApiKeyChanges): Promise<CreatedApiKeyView> {
    const key = generateApiKey();
    const created = await this.apiKeys.create({
      ...hashed(key),
      ...(comment ? { comments: [comment] } : {}),
      ...(expiresAt ? { expiresAt } : {}),
    });
    return { ...toApiKeyView(created.toObject()), key };
  }

  /** Stores a given key, hashed, unless it is there already, hashed or plain. */
  async ensure(key: string, comment: string): Promise<boolean> {
    const exists = await this.apiKeys.exists({ $or: [{ keyHash: hashApiKey(key) }, { key }] });
    if (exists) return false;
    try {
      await this.apiKeys.create({ ...hashed(key), comments: [comment] });
      return true;
    } catch (error) {
      if (isDuplicateKey(error, 'keyHash')) return false;
      throw error;
    }
  }

  /**
   * Stores hashed what an older server, or somebody by hand, has stored plain; it keeps working.
   *
   * @param options with `dryRun`, reports the same and writes nothing
   */
  async hashPlainKeys({ dryRun }: { readonly dryRun: boolean }): Promise<MigrationReport> {
    const plain = await this.apiKeys
      .find({ key: { $gt: '' } })
      .select(['key'])
      .lean<Required<Pick<ApiKey, '_id' | 'key'>>[]>();
    const unresolved: string[] = [];
    for (const { _id, key } of plain) {
      const isTaken = (await this.apiKeys.exists({ keyHash: hashApiKey(key) })) !== null;
      if (isTaken) {
        unresolved.push(
          `api key ${_id.toHexString()}: stored hashed as well; delete one of the two`,
        );
      } else if (!dryRun) {
        await this.apiKeys.updateOne(
          { _id, key },
          { $set: hashed(key), $unset: { key: 1 } },
          { timestamps: false },
        );
      }
    }
    const count = plain.length - unresolved.length;
    const changed = count === 0 ? [] : [`${count} API ${count === 1 ? 'key' : 'keys'}: hashed`];
    return { changed, unresolved };
  }

  /** @throws ApiKeyNotFoundError */
  async change(id: Types.ObjectId, changes: ApiKeyChanges): Promise<ApiKeyView> {
    const { enabled, comment, expiresAt } = changes;
    const changed = await this.coherence.write(keyChanges(id), (session) =>
      this.apiKeys
        .findByIdAndUpdate(
          id,
          {
            $set: {
              ...(enabled === undefined ? {} : { status: enabled }),
              ...(comment === undefined ? {} : { comments: [comment] }),
              ...(expiresAt ? { expiresAt } : {}),
            },
            ...(expiresAt === null ? { $unset: { expiresAt: 1 } } : {}),
          },
          { returnDocument: 'after', session },
        )
        .lean<ApiKey | null>(),
    );
    if (!changed) throw new ApiKeyNotFoundError();
    return toApiKeyView(changed);
  }

  /** @throws ApiKeyNotFoundError */
  async remove(id: Types.ObjectId): Promise<void> {
    const { deletedCount } = await this.coherence.write(keyChanges(id), (session) =>
      this.apiKeys.deleteOne({ _id: id }, { session }),
    );
    if (deletedCount === 0) throw new ApiKeyNotFoundError();
  }

  private async find(presented: string): Promise<KnownKey | null> {
    const apiKey = await this.coherence.read((options) =>
      this.apiKeys
        .findOne({ $or: [{ keyHash: hashApiKey(presented) }, { key: presented }], status: true })
        .select(['expiresAt', 'lastUsedAt'])
        .setOptions(options)
        .lean<ApiKey | null>(),
    );
    if (!apiKey) return null;
    const { _id, expiresAt, lastUsedAt } = apiKey;
    // What was edited by hand may be no date.
    return {
      id: _id,
      expiresAt,
      lastUsedAt: lastUsedAt instanceof Date ? lastUsedAt.getTime() : 0,
    };
  }

  private accept(key: KnownKey): boolean {
    const now = this.clock.now();
    if (hasExpired(key.expiresAt, now)) return false;
    if (now.getTime() - key.lastUsedAt >= LAST_USED_STEP_MS) {
      key.lastUsedAt = now.getTime();
      this.noteUse(key.id, now);
    }
    return true;
  }

  /** Nobody waits for it, and a failure costs nothing but the note. */
  private noteUse(id: Types.ObjectId, now: Date): void {
    this.apiKeys
      .updateOne({ _id: id }, { $set: { lastUsedAt: now } }, { timestamps: false })
      .catch((error: unknown) => this.logger.debug(`lastUsedAt not written: ${String(error)}`));
  }
}

function keyChanges(id: Types.ObjectId): readonly CacheDependency[] {
  return [API_KEY.record(id.toHexString())];
}

function hashed(key: string): Pick<ApiKey, 'keyHash' | 'prefix'> {
  return { keyHash: hashApiKey(key), prefix: prefixOf(key) };
}

/** What was edited by hand may be no date: a limit that cannot be read counts as reached. */
function hasExpired(expiresAt: unknown, now: Date): boolean {
  if (expiresAt === undefined || expiresAt === null) return false;
  return !(expiresAt instanceof Date) || expiresAt <= now;
}
