import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { modelFor, type PublicReadOptions } from '../../../platform/caching/causal-read-barrier.js';
import { LIVE_PICTURE_INDEX, PICTURE_INDEX } from '../../core/blog.indexes.js';
import { Blog, IS_PUBLIC } from '../../core/blog.schema.js';

/** Number of articles that `usesOf` names at most. */
const USES_MAX = 20;

/** Where a picture is used. */
export interface MediaUse {
  readonly blog: Types.ObjectId;
  readonly author: Types.ObjectId;
  /** Whether readers see it there. */
  readonly isLive: boolean;
}

/** Finds the articles that use pictures. Drafts count, in the trash as well, and live versions. */
@Injectable()
export class MediaUses {
  constructor(@InjectModel(Blog.name) private readonly blogs: Model<Blog>) {}

  /** The articles that use a picture, USES_MAX at most, those that are live first. */
  async usesOf(id: Types.ObjectId): Promise<MediaUse[]> {
    const fields = ['author', 'status', 'published', 'live.pictures'];
    const find = (path: 'pictures' | 'live.pictures', hint: Readonly<Record<string, 1>>) =>
      this.blogs
        .find({ [path]: id })
        .hint(hint)
        .limit(USES_MAX)
        .select(fields)
        .read('primary')
        .lean<Pick<Blog, '_id' | 'author' | 'status' | 'published' | 'live'>[]>();
    const live = await find('live.pictures', LIVE_PICTURE_INDEX);
    const drafts = await find('pictures', PICTURE_INDEX);
    const uses = [...live, ...drafts].map(({ _id, author, status, published, live: version }) => ({
      blog: _id,
      author,
      isLive: status && published && version?.pictures?.some((each) => each.equals(id)) === true,
    }));
    const distinct = new Map(uses.map((use) => [use.blog.toHexString(), use]));
    return [...distinct.values()].slice(0, USES_MAX);
  }

  /** An article by which readers may see the picture; null if there is none. */
  async liveUse(id: Types.ObjectId, options: PublicReadOptions): Promise<Pick<Blog, '_id'> | null> {
    return modelFor(this.blogs, options)
      .findOne({ 'live.pictures': id, ...IS_PUBLIC })
      .select(['_id'])
      .setOptions({ ...options, hint: LIVE_PICTURE_INDEX })
      .lean<Pick<Blog, '_id'> | null>();
  }

  /** Returns the ids of those pictures that readers may see, in hex. */
  async liveAmong(ids: readonly Types.ObjectId[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const blogs = await this.blogs
      .find({ 'live.pictures': { $in: ids }, ...IS_PUBLIC })
      .hint(LIVE_PICTURE_INDEX)
      .select(['live.pictures'])
      .read('primary')
      .lean<Pick<Blog, 'live'>[]>();
    return new Set(blogs.flatMap(({ live }) => live?.pictures ?? []).map(String));
  }
}
