import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { CacheCoherenceService } from '../../../platform/caching/cache-coherence.service.js';
import type { CacheDependency } from '../../../platform/caching/cache-subject.js';
import { Cache } from '../../../platform/caching/cache.js';
import { modelFor, type PublicReadOptions } from '../../../platform/caching/causal-read-barrier.js';
import { BY_ID } from '../../../platform/database/query-hints.js';
import { USER } from '../../../user/schemas/user.cache.js';
import { BLOG } from '../../core/blog.cache.js';
import { MEDIA } from '../records/media.cache.js';
import { Media } from '../records/media.schema.js';
import { MediaUses } from '../use/media-uses.service.js';

/** Largest number of pictures that a process knows to be public; they take about 10 MB. */
const MAX_CACHED = 20_000;

/** What is needed to serve a picture. */
export type ServedMedia = Pick<Media, '_id' | 'file' | 'name' | 'format' | 'width' | 'createdAt'>;

const SERVED_FIELDS = ['file', 'name', 'format', 'width', 'createdAt'] as const;

/** Knows which pictures readers may see: those that a live article or a profile shows. */
@Injectable()
export class PublicPictures {
  private readonly cache: Cache<ServedMedia>;

  constructor(
    @InjectModel(Media.name) private readonly media: Model<Media>,
    private readonly uses: MediaUses,
    private readonly coherence: CacheCoherenceService,
  ) {
    this.cache = new Cache(coherence, {
      name: 'public-pictures',
      dependsOn: [MEDIA, BLOG, USER],
      bounds: { max: MAX_CACHED },
    });
  }

  /** The picture, if it is cached. */
  peek(id: string): ServedMedia | undefined {
    return this.cache.peek(id);
  }

  /** @returns null for a picture that readers may not see, or that does not exist */
  async find(id: Types.ObjectId): Promise<ServedMedia | null> {
    return this.cache.get(id.toHexString(), async () => {
      const found = await this.coherence.publicRead(async (options) => {
        const media = await this.read(id, options);
        const use = media && (await this.useOf(id, options));
        return use && { value: media, dependsOn: [MEDIA.record(id), use] };
      });
      return found ?? null;
    });
  }

  /** Reads a picture whose address is signed, from the primary. */
  async findAny(id: Types.ObjectId): Promise<ServedMedia | null> {
    return this.media
      .findOne({ _id: id }, null, BY_ID)
      .select([...SERVED_FIELDS])
      .read('primary')
      .lean<ServedMedia | null>();
  }

  private read(id: Types.ObjectId, options: PublicReadOptions): Promise<ServedMedia | null> {
    return modelFor(this.media, options)
      .findOne({ _id: id })
      .select([...SERVED_FIELDS])
      .setOptions({ ...options, ...BY_ID })
      .lean<ServedMedia | null>();
  }

  private async useOf(
    id: Types.ObjectId,
    options: PublicReadOptions,
  ): Promise<CacheDependency | null> {
    const blog = await this.uses.liveUse(id, options);
    if (blog) return BLOG.record(blog._id);
    const user = await this.uses.profileUse(id, options);
    return user && USER.record(user);
  }
}
