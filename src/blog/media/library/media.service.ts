import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter, Types } from 'mongoose';
import { CacheCoherenceService } from '../../../platform/caching/cache-coherence.service.js';
import { Clock } from '../../../platform/clock.js';
import { BY_ID } from '../../../platform/database/query-hints.js';
import type { Caller } from '../../../platform/http/access/current-user.decorator.js';
import { Listing } from '../../../platform/http/pagination/listing.js';
import { Idempotency } from '../../../platform/idempotency/idempotency.service.js';
import { MediaInUseError, MediaNotFoundError } from '../media.errors.js';
import { mediaWords, wordsOf } from '../records/media-words.js';
import { Media } from '../records/media.schema.js';
import { MediaRemoval } from '../use/media-removal.service.js';
import { MediaUses } from '../use/media-uses.service.js';
import { ChangeMediaDto } from './change-media.dto.js';
import { MediaQuery } from './media-query.dto.js';
import { MediaViews } from './media-views.service.js';
import type { MediaView } from './media.view.js';
import type { RemovedMediaView } from './removed-media.view.js';

type Filter = QueryFilter<Media>;

/** What a user sees and changes of the media library. */
@Injectable()
export class MediaService {
  constructor(
    @InjectModel(Media.name) private readonly media: Model<Media>,
    private readonly uses: MediaUses,
    private readonly removal: MediaRemoval,
    private readonly views: MediaViews,
    private readonly idempotency: Idempotency,
    private readonly coherence: CacheCoherenceService,
    private readonly clock: Clock,
  ) {}

  /** A page of pictures, newest first: the caller's own, and for an EDITOR those of submitted articles. */
  async list(
    { userId, roles }: Caller,
    { mine = false, unused = false, q, cursor, limit }: MediaQuery,
  ): Promise<Listing<MediaView>> {
    const words = q === undefined ? [] : wordsOf(q);
    const isShared = !mine && !unused && q === undefined && roles.includes('EDITOR');
    const filter: Filter = {
      ...(isShared ? { $or: [{ owner: userId }, { isShared: true }] } : { owner: userId }),
      ...(unused ? { unusedSince: { $exists: true } } : {}),
      ...(q === undefined ? {} : { words: { $all: words } }),
      ...(cursor ? { _id: { $lt: cursor } } : {}),
    };
    const found = await this.coherence.read((options) =>
      this.media
        .find(filter, null, options)
        .sort({ _id: -1 })
        .limit(limit + 1)
        .lean<Media[]>(),
    );
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    const query = {
      ...(mine ? { mine: 'true' } : {}),
      ...(unused ? { unused: 'true' } : {}),
      ...(q === undefined ? {} : { q }),
    };
    return new Listing(
      page.map((each) => this.views.of(each)),
      limit,
      last ? last._id.toHexString() : null,
      undefined,
      query,
    );
  }

  /** @throws MediaNotFoundError also for a picture that the caller may not see */
  async get(caller: Caller, id: Types.ObjectId): Promise<MediaView> {
    return this.views.of(await this.readable(caller, id));
  }

  /** @throws MediaNotFoundError also for a picture of somebody else */
  async change({ userId }: Caller, id: Types.ObjectId, dto: ChangeMediaDto): Promise<MediaView> {
    const media = await this.own(userId, id);
    const { alt = media.alt, pinned } = dto;
    const caption = valueAfter(media.caption, dto.caption);
    const credit = valueAfter(media.credit, dto.credit);
    const focus = valueAfter(media.focus, dto.focus);
    const optional = {
      caption,
      credit,
      focus,
      ...(pinned === undefined ? {} : { pinned: pinned || undefined }),
    };
    const set = Object.entries(optional).filter(([, value]) => value !== undefined);
    const unset = Object.entries(optional).filter(([, value]) => value === undefined);
    const texts = {
      name: media.name,
      alt,
      ...(caption ? { caption } : {}),
      ...(credit ? { credit } : {}),
    };
    const changed = await this.media
      .findOneAndUpdate(
        { _id: id, owner: userId },
        {
          $set: {
            ...Object.fromEntries(set),
            alt,
            words: mediaWords(texts),
            updatedAt: this.clock.now(),
          },
          ...(unset.length > 0
            ? { $unset: Object.fromEntries(unset.map(([name]) => [name, 1])) }
            : {}),
        },
        { ...BY_ID, returnDocument: 'after' },
      )
      .lean<Media | null>();
    if (!changed) throw new MediaNotFoundError();
    return this.views.of(changed);
  }

  /**
   * Removes a picture from the library. Drafts that use it lose it.
   *
   * @returns where it was used
   * @throws MediaInUseError while a live article or the profile shows it @throws MediaNotFoundError
   */
  async remove({ userId }: Caller, id: Types.ObjectId): Promise<RemovedMediaView> {
    const media = await this.own(userId, id);
    const uses = await this.uses.usesOf(id);
    const places = [
      ...uses.filter(({ isLive }) => isLive).map(({ blog }) => `the live blog ${String(blog)}`),
      ...((await this.uses.profileUse(id)) ? ['your profile'] : []),
    ];
    if (places.length > 0) throw new MediaInUseError(places);
    await this.idempotency.beforeRemoval(this.media, { _id: id });
    await this.removal.remove(media, { owner: userId });
    const own = uses.filter(({ author }) => author.equals(userId));
    return { usedIn: own.map(({ blog }) => blog.toHexString()) };
  }

  private async readable({ userId, roles }: Caller, id: Types.ObjectId): Promise<Media> {
    const media = await this.coherence.read((options) =>
      this.media.findOne({ _id: id }, null, { ...BY_ID, ...options }).lean<Media | null>(),
    );
    if (!media) throw new MediaNotFoundError();
    if (media.owner.equals(userId) || (media.isShared && roles.includes('EDITOR'))) return media;
    const uses = await this.uses.usesOf(id);
    if (uses.some(({ isLive, author }) => isLive || author.equals(userId))) return media;
    if (await this.uses.profileUse(id)) return media;
    throw new MediaNotFoundError();
  }

  private async own(owner: Types.ObjectId, id: Types.ObjectId): Promise<Media> {
    const media = await this.media
      .findOne({ _id: id, owner }, null, BY_ID)
      .read('primary')
      .lean<Media | null>();
    if (!media) throw new MediaNotFoundError();
    return media;
  }
}

/** The value after a change: `undefined` in a body keeps it, `null` removes it. */
function valueAfter<Value>(
  stored: Value | undefined,
  given: Value | null | undefined,
): Value | undefined {
  return given === undefined ? stored : (given ?? undefined);
}
