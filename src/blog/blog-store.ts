import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Types, type ClientSession, type Model, type mongo, type QueryFilter } from 'mongoose';
import { BY_ID } from '../database/by-id.js';
import { OPERATION_MAX_MS } from '../database/client-options.js';
import { Blog, INITIAL_SCORE, type BlogFilter, type UpdateStage } from './blog.schema.js';
import { BLOG_STATES, type MoveName } from './blog.state.js';
import { creationEvent, removal } from './events/event-stages.js';
import type { NewWorkingCopy } from './working-copy.js';

export interface NewBlog {
  readonly author: Types.ObjectId;
  readonly copy: NewWorkingCopy;
  readonly slug: string;
  readonly now: Date;
}

export interface Removal {
  /** Who removes it. */
  readonly by: Types.ObjectId;
  readonly at: Date;
}

/** The document of a blog that is created: a draft of its first revision. */
export function newBlog({ author, copy, slug, now }: NewBlog): Blog {
  return {
    _id: new Types.ObjectId(),
    ...copy,
    slug,
    slugs: [slug],
    ...BLOG_STATES.draft,
    status: true,
    author,
    createdBy: author,
    updatedBy: author,
    score: INITIAL_SCORE,
    rev: 1,
    createdAt: now,
    updatedAt: now,
    events: [creationEvent(author, now)],
  };
}

/**
 * Every insert, update and delete of blogs by the server. The types stand in for the checks of the
 * schema: a single blog is written by MongoDB's driver, since a Mongoose document would check and
 * copy each word of its texts again.
 */
@Injectable()
export class BlogStore {
  private readonly collection: mongo.Collection<Blog>;

  constructor(@InjectModel(Blog.name) private readonly blogs: Model<Blog>) {
    this.collection = blogs.collection as unknown as mongo.Collection<Blog>;
  }

  /** @throws MongoServerError that `isDuplicateKey` tells when another blog has one of the slugs */
  async insert(blog: Blog): Promise<void> {
    await this.collection.insertOne(blog);
  }

  /**
   * Updates one blog that the filter names by its id.
   *
   * @returns the blog as it is after the update or was before it; null when none matches
   * @throws as `insert` does
   */
  async update(
    filter: BlogFilter,
    update: readonly UpdateStage[],
    options: { readonly returnDocument: 'before' | 'after'; readonly session: ClientSession },
  ): Promise<Blog | null> {
    return this.collection.findOneAndUpdate(filter as mongo.Filter<Blog>, [...update], {
      ...BY_ID,
      ...options,
      maxTimeMS: OPERATION_MAX_MS,
    });
  }

  /** Updates every blog that the filter matches. Only the pipeline sets `updatedAt`. */
  async updateMany(filter: BlogFilter, update: readonly UpdateStage[]): Promise<void> {
    await this.blogs.updateMany(filter as QueryFilter<Blog>, [...update], {
      updatePipeline: true,
      timestamps: false,
    });
  }

  /**
   * Removes one blog that the filter names by its id: what is left is a tombstone with its events.
   *
   * @returns the blog as it was; null when none matches
   */
  async remove(
    move: MoveName,
    filter: BlogFilter,
    { by, at }: Removal,
    session?: ClientSession,
  ): Promise<Blog | null> {
    return this.collection.findOneAndUpdate(
      filter as mongo.Filter<Blog>,
      removal(move, { by, at }),
      { ...BY_ID, returnDocument: 'before', ...(session ? { session } : {}) },
    );
  }

  /** Removes every blog that the filter matches, as `remove` does. @returns how many there were */
  async removeMany(filter: BlogFilter, { by, at }: Removal): Promise<number> {
    const update = removal('delete', { by, at });
    const { modifiedCount } = await this.collection.updateMany(
      filter as mongo.Filter<Blog>,
      update,
    );
    return modifiedCount;
  }
}
