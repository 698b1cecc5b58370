import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, mongo } from 'mongoose';
import pLimit from 'p-limit';
import { CacheCoherenceService } from '../../cache/cache-coherence.service.js';
import { Clock } from '../../common/clock.js';
import { OPERATION_MAX_MS } from '../../database/client-options.js';
import { isDuplicateKey } from '../../database/is-duplicate-key.js';
import { Blog } from '../blog.schema.js';
import { countTag, sameCount, storedCount, type CountedTag } from './count-tag.js';
import { TAGS } from './tag.cache.js';
import { Tag } from './tag.schema.js';

/** Tags that one move counts at a time. */
const AT_A_TIME = 4;

/** How often a count is tried while other moves of blogs with the tag come between. */
const ATTEMPTS = 100;

/**
 * Keeps `tags` up to date. A count is derived from the blogs and may be repeated at any time, so nothing is
 * lost or counted twice, whichever process is killed: the relay counts the tags of each move again.
 *
 * Two moves may count at the same time. Each reads the version of the record before it counts, and stores
 * its count only if the version is still the same; otherwise it counts again. So the last count that is
 * stored began after every move that it does not know of had been stored by another count.
 */
@Injectable()
export class TagCounts {
  private readonly limit = pLimit(AT_A_TIME);

  constructor(
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
    @InjectModel(Tag.name) private readonly tags: Model<Tag>,
    private readonly clock: Clock,
    private readonly coherence: CacheCoherenceService,
  ) {}

  /**
   * Counts the live blogs with each of these tags. Call it after a move, before it is answered.
   *
   * @param keys as `tagKey` makes them
   */
  async refresh(keys: readonly string[]): Promise<void> {
    await Promise.all([...new Set(keys)].map((key) => this.limit(() => this.refreshOne(key))));
  }

  private async refreshOne(key: string): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const stored = await this.collection().findOne(
        { _id: key },
        { readPreference: 'primary', maxTimeMS: OPERATION_MAX_MS },
      );
      const counted = await countTag(
        this.blogs.collection as unknown as mongo.Collection<Blog>,
        key,
      );
      if (sameCount(stored, counted) || (await this.store(key, stored, counted))) return;
    }
    throw new Error('a tag was counted by too many moves at the same time');
  }

  /** @returns false when another count was stored since `stored` was read */
  private async store(key: string, stored: Tag | null, counted: CountedTag): Promise<boolean> {
    const tag = storedCount(key, counted, (stored?.version ?? 0) + 1, this.clock.now());
    try {
      return await this.coherence.write([TAGS.all], async (session) => {
        if (!stored) {
          await this.collection().insertOne(tag, { session });
          return true;
        }
        const filter = { _id: key, version: stored.version };
        const options = { session, maxTimeMS: OPERATION_MAX_MS };
        const { matchedCount } = await this.collection().replaceOne(filter, tag, options);
        return matchedCount === 1;
      });
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  private collection(): mongo.Collection<Tag> {
    return this.tags.collection as unknown as mongo.Collection<Tag>;
  }
}
