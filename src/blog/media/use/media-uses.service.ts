import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { modelFor, type PublicReadOptions } from '../../../platform/caching/causal-read-barrier.js';
import { PROFILE_PICTURE_INDEX } from '../../../user/schemas/profile-picture.schema.js';
import { User } from '../../../user/schemas/user.schema.js';
import { PICTURE_INDEXES } from '../../core/blog.indexes.js';
import { Blog, IS_PUBLIC } from '../../core/blog.schema.js';

/** Number of articles that `usesOf` names at most. */
const USES_MAX = 20;

const USE_FIELDS = ['author', 'status', 'published', 'live.pictures', 'live.cover.media'] as const;

/** A field in which a version of an article names pictures, with its index. */
interface PicturePath {
  readonly path: string;
  readonly hint: Readonly<Record<string, 1>>;
  /** The id of a picture as this field has it. */
  readonly valueOf: (id: Types.ObjectId) => Types.ObjectId | string;
}

function pathsOf(indexes: Readonly<Record<string, Readonly<Record<string, 1>>>>): PicturePath[] {
  return Object.entries(indexes).map(([path, hint]) => ({
    path,
    hint,
    valueOf: (id) => (path.endsWith('cover.media') ? id.toHexString() : id),
  }));
}

const LIVE_PATHS = pathsOf(PICTURE_INDEXES.live);
const PATHS = [...LIVE_PATHS, ...pathsOf(PICTURE_INDEXES.draft)];

type UsingBlog = Pick<Blog, '_id' | 'author' | 'status' | 'published' | 'live'>;

/** Where a picture is used. */
export interface MediaUse {
  readonly blog: Types.ObjectId;
  readonly author: Types.ObjectId;
  /** Whether readers see it there. */
  readonly isLive: boolean;
}

/** Finds the articles and profiles that use pictures. Drafts count, in the trash as well, and live versions. */
@Injectable()
export class MediaUses {
  constructor(
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
    @InjectModel(User.name) private readonly users: Model<User>,
  ) {}

  /** Whether an article or a profile uses the picture. */
  async isUsed(id: Types.ObjectId): Promise<boolean> {
    return (await this.usesOf(id)).length > 0 || (await this.profileUse(id)) !== null;
  }

  /** The account whose profile shows the picture; null if there is none. */
  async profileUse(
    id: Types.ObjectId,
    options?: PublicReadOptions,
  ): Promise<Types.ObjectId | null> {
    const user = await (options ? modelFor(this.users, options) : this.users)
      .findOne({ 'picture.media': id.toHexString() })
      .select(['_id'])
      .setOptions({ ...(options ?? { readPreference: 'primary' }), hint: PROFILE_PICTURE_INDEX })
      .lean<Pick<User, '_id'> | null>();
    return user?._id ?? null;
  }

  /** The articles that use a picture, USES_MAX at most, those that are live first. */
  async usesOf(id: Types.ObjectId): Promise<MediaUse[]> {
    const found: UsingBlog[] = [];
    for (const { path, hint, valueOf } of PATHS) {
      const blogs = await this.blogs
        .find({ [path]: valueOf(id) })
        .hint(hint)
        .limit(USES_MAX)
        .select([...USE_FIELDS])
        .read('primary')
        .lean<UsingBlog[]>();
      found.push(...blogs);
    }
    const uses = found.map(({ _id, author, status, published, live }) => ({
      blog: _id,
      author,
      isLive: status && published && picturesOf(live).includes(id.toHexString()),
    }));
    const distinct = new Map(uses.map((use) => [use.blog.toHexString(), use]));
    return [...distinct.values()].slice(0, USES_MAX);
  }

  /** An article by which readers may see the picture; null if there is none. */
  async liveUse(id: Types.ObjectId, options: PublicReadOptions): Promise<Pick<Blog, '_id'> | null> {
    for (const { path, hint, valueOf } of LIVE_PATHS) {
      const blog = await modelFor(this.blogs, options)
        .findOne({ [path]: valueOf(id), ...IS_PUBLIC })
        .select(['_id'])
        .setOptions({ ...options, hint })
        .lean<Pick<Blog, '_id'> | null>();
      if (blog) return blog;
    }
    return null;
  }

  /** Returns the ids of those pictures that readers may see, in hex. Thousands of articles may show each of them. */
  async liveAmong(ids: readonly Types.ObjectId[]): Promise<ReadonlySet<string>> {
    const live = new Set<string>();
    for (const id of ids) {
      for (const { path, hint, valueOf } of LIVE_PATHS) {
        const blog = await this.blogs
          .exists({ [path]: valueOf(id), ...IS_PUBLIC })
          .hint(hint)
          .read('primary');
        if (blog) {
          live.add(id.toHexString());
          break;
        }
      }
    }
    return live;
  }
}

/** The pictures that a live version shows, in hex. */
function picturesOf(live: Blog['live']): string[] {
  return [...(live?.pictures ?? []).map(String), ...(live?.cover ? [live.cover.media] : [])];
}
