import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Types, type ClientSession, type Model, type mongo, type QueryFilter } from 'mongoose';
import type { Creation } from '../../platform/idempotency/creation.js';
import { BY_ID } from '../../platform/database/query-hints.js';
import { inTransaction } from '../../platform/database/transaction-option.js';
import { OPERATION_MAX_MS } from '../../platform/database/client-options.js';
import { isOnlyDuplicateKeys } from '../../platform/database/is-duplicate-key.js';
import type { NewWorkingCopy } from './blog-fields.js';
import { Blog, INITIAL_SCORE, type BlogFilter, type UpdateStage } from './blog.schema.js';
import { BLOG_STATES } from './blog.state.js';
import type { BlogEventName } from '../history/blog-event.schema.js';
import { creationEvent, removal } from '../history/event-stages.js';

/** Leaves out the words of the search: no caller of BlogStore needs them. */
const WITHOUT_WORDS = { projection: { 'live.words': 0 } } as const;

interface NewBlog {
  readonly author: Types.ObjectId;
  readonly copy: NewWorkingCopy;
  readonly slug: string;
  /** Whether the slug was made from the title, which it then follows. */
  readonly isSlugGenerated?: boolean;
  readonly now: Date;
  /** The fields that `Idempotency-Key` determines, if the request sent a key. */
  readonly creation?: Partial<Creation>;
}

interface Removal {
  /** The user who removes the blog; null for the server itself. */
  readonly by: Types.ObjectId | null;
  readonly at: Date;
}

/** The document of a new blog: a draft with revision 1 and its first event. */
export function newBlog(given: NewBlog): Blog {
  const { author, copy, slug, isSlugGenerated = false, now, creation } = given;
  return {
    _id: new Types.ObjectId(),
    ...creation,
    ...copy,
    slug,
    slugs: [slug],
    ...(isSlugGenerated ? { generatedSlug: slug } : {}),
    ...BLOG_STATES.draft,
    status: true,
    author,
    contributors: [author],
    createdBy: author,
    updatedBy: author,
    score: INITIAL_SCORE,
    rev: 1,
    createdAt: now,
    updatedAt: now,
    events: [creationEvent(author, now)],
    revisions: [],
  };
}

/**
 * Inserts, updates and removes blogs; no other class of the server writes them, except the outbox
 * relay, the migrations, and RevisionStore for blogs of an older version. All methods but `updateMany`
 * use MongoDB's driver, because Mongoose would cast and copy the long texts. The driver checks no
 * schema, so the types of the parameters check what is written.
 */
@Injectable()
export class BlogStore {
  private readonly collection: mongo.Collection<Blog>;

  constructor(@InjectModel(Blog.name) private readonly blogs: Model<Blog>) {
    this.collection = blogs.collection as unknown as mongo.Collection<Blog>;
  }

  /** @throws MongoServerError for which `isDuplicateKey` holds, when another blog has the slug */
  async insert(blog: Blog): Promise<void> {
    await this.collection.insertOne(blog);
  }

  /**
   * Inserts blogs of an import.
   *
   * @returns the blogs that were not inserted, because another blog has the id or the slug
   */
  async insertMany(blogs: readonly Blog[], session: ClientSession): Promise<readonly Blog[]> {
    try {
      await this.collection.insertMany([...blogs], { ordered: false, session });
      return [];
    } catch (error) {
      if (!isOnlyDuplicateKeys(error)) throw error;
      const refusedIndexes = new Set([error.writeErrors].flat().map(({ index }) => index));
      return blogs.filter((_, index) => refusedIndexes.has(index));
    }
  }

  /**
   * Updates one blog. The filter must contain its id.
   *
   * @returns the blog before or after the update, as `returnDocument` says; null when no blog
   *   matches
   * @throws MongoServerError as `insert` does
   */
  async update(
    filter: BlogFilter,
    update: readonly UpdateStage[],
    options: { readonly returnDocument: 'before' | 'after'; readonly session?: ClientSession },
  ): Promise<Blog | null> {
    return this.collection.findOneAndUpdate(filter as mongo.Filter<Blog>, [...update], {
      ...BY_ID,
      ...WITHOUT_WORDS,
      ...options,
      maxTimeMS: OPERATION_MAX_MS,
    });
  }

  /**
   * Ends all previews of one blog. The filter must contain its id. This is no transition: the revision
   * number, `updatedAt` and the history stay as they are.
   *
   * @returns false when no blog matches
   */
  async endPreviews(filter: BlogFilter): Promise<boolean> {
    const { matchedCount } = await this.collection.updateOne(
      filter as mongo.Filter<Blog>,
      { $inc: { previewGeneration: 1 } },
      { ...BY_ID, maxTimeMS: OPERATION_MAX_MS },
    );
    return matchedCount > 0;
  }

  /**
   * Updates every blog that the filter matches. The filter must contain the ids of the blogs, 1,000 at most. Mongoose
   * does not touch `updatedAt` here.
   *
   * @returns how many blogs were changed
   */
  async updateMany(
    filter: BlogFilter,
    update: readonly object[],
    session: ClientSession | null = null,
  ): Promise<number> {
    const result = await this.blogs.updateMany(filter as QueryFilter<Blog>, [...update] as never, {
      ...BY_ID,
      ...inTransaction(session),
      updatePipeline: true,
      timestamps: false,
    });
    return result.modifiedCount;
  }

  /**
   * Replaces one blog by a tombstone, which keeps its events. The filter must contain the id of the blog.
   *
   * @returns the blog before the removal; null when no blog matches
   */
  async remove(
    transition: BlogEventName,
    filter: BlogFilter,
    { by, at }: Removal,
    session?: ClientSession,
  ): Promise<Blog | null> {
    return this.collection.findOneAndUpdate(
      filter as mongo.Filter<Blog>,
      removal(transition, { by, at }),
      {
        ...BY_ID,
        ...WITHOUT_WORDS,
        returnDocument: 'before',
        maxTimeMS: OPERATION_MAX_MS,
        ...(session ? { session } : {}),
      },
    );
  }
}
