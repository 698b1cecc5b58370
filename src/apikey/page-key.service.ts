import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Types, type Model } from 'mongoose';
import { SecretBox } from '../auth/keys/secret-box.service.js';
import { CacheCoherenceService } from '../platform/caching/cache-coherence.service.js';
import { Clock } from '../platform/clock.js';
import { isDuplicateKey } from '../platform/database/is-duplicate-key.js';
import { generateApiKey, hasExpired, hashApiKey, prefixOf } from './api-key.js';
import { API_KEY } from './api-key.cache.js';
import { ApiKey } from './api-key.schema.js';

/** The id of the key, so that two processes that make it at once make one: the index on `_id` refuses the second. */
const PAGE_KEY_ID = new Types.ObjectId(Buffer.from('pages of us!'));

/**
 * Keeps the API key that the server gives to its own pages. It has the scope `desk`, so that a stranger who takes it
 * from a page can only sign in. Unlike other keys, it can be read again: it is stored sealed besides its hash.
 */
@Injectable()
export class PageKeyService {
  constructor(
    @InjectModel(ApiKey.name) private readonly apiKeys: Model<ApiKey>,
    private readonly box: SecretBox,
    private readonly clock: Clock,
    private readonly coherence: CacheCoherenceService,
  ) {}

  /**
   * The key of the server's pages. It is made when it is first needed, and made anew if it was deleted, or if the
   * signing key with which it was sealed is not configured any more.
   *
   * @returns null while an admin has disabled the key
   */
  async find(): Promise<string | null> {
    const stored = (await this.read()) ?? (await this.insert());
    if (stored.status !== true || hasExpired(stored.expiresAt, this.clock.now())) return null;
    const key = stored.sealed && this.box.open(stored.sealed);
    return key ?? this.renew(stored);
  }

  private read(): Promise<ApiKey | null> {
    return this.coherence.read((options) =>
      this.apiKeys.findById(PAGE_KEY_ID, null, options).lean<ApiKey | null>(),
    );
  }

  private async insert(): Promise<ApiKey> {
    const fields = {
      _id: PAGE_KEY_ID,
      scopes: ['desk'],
      comments: ['pages of this server'],
      ...this.secretFields(),
    };
    try {
      return (await this.apiKeys.create(fields)).toObject();
    } catch (error) {
      const other = isDuplicateKey(error, '_id') ? await this.read() : null;
      if (!other) throw error;
      return other;
    }
  }

  /** Replaces the secret, unless another process has just done so. */
  private async renew({ keyHash }: ApiKey): Promise<string | null> {
    await this.coherence.write([API_KEY.record(PAGE_KEY_ID)], (session) =>
      this.apiKeys.updateOne(
        { _id: PAGE_KEY_ID, ...(keyHash === undefined ? {} : { keyHash }) },
        { $set: this.secretFields() },
        { session },
      ),
    );
    const stored = await this.read();
    return stored?.sealed ? this.box.open(stored.sealed) : null;
  }

  private secretFields(): Pick<ApiKey, 'keyHash' | 'prefix' | 'sealed'> {
    const key = generateApiKey();
    return { keyHash: hashApiKey(key), prefix: prefixOf(key), sealed: this.box.seal(key) };
  }
}
