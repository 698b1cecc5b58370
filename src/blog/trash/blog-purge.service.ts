import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter, Types } from 'mongoose';
import { Clock } from '../../platform/clock.js';
import { Env } from '../../platform/config/env.js';
import { BY_ID } from '../../platform/database/query-hints.js';
import { Idempotency } from '../../platform/idempotency/idempotency.service.js';
import { HAS_TRASH_TIME, IS_PURGING, TRASH_INDEX } from '../core/blog.indexes.js';
import { Blog, IN_TRASH, type BlogFilter, type UpdateStage } from '../core/blog.schema.js';
import { BlogStore } from '../core/blog-store.js';
import { CommentStore } from '../comments/store/comment-store.js';
import { updateOf } from '../core/transitions/transition-update.js';
import { NoteStore } from '../history/note-store.js';
import { PreviewStore } from '../previews/preview-store.js';
import { RevisionStore } from '../revisions/store/revision-store.js';
import { MARK, REMOVE_UNPUBLISHED, UNMARK } from './purge-stages.js';

/** A store of records that belong to blogs. Its methods may be repeated. */
interface PartStore {
  /** Removes all records of one blog. */
  removeAllOf(blog: Types.ObjectId): Promise<unknown>;
  /**
   * Removes the unpublished records of a blog that stays. If a store has no published records, it
   * lacks this method, and the purge calls `removeAllOf`.
   */
  removeUnpublished?(blog: Blog): Promise<unknown>;
}

/** Number of blogs that are purged concurrently. */
const BATCH = 8;

/** The fields that decide how a blog is purged. */
const STATE_FIELDS = ['author', 'status', 'submitted', 'drafted', 'published', 'rev'] as const;

/** The fields of a blog that a purge reads first. */
type PurgedBlog = Pick<Blog, '_id' | (typeof STATE_FIELDS)[number]>;

/**
 * Removes blogs for good, with everything that belongs to them. From the live blogs of a deleted
 * account, it removes everything that was never published.
 *
 * A blog to purge has the mark `purging`. The write that sets the mark also takes the blog out of
 * the trash, or closes the blog to its author, whose account is deleted. So a blog is either
 * restored or purged as a whole. The next steps remove what belongs to the blog. The last step
 * replaces the blog by a tombstone, or keeps what is live and removes the mark. So the blogs of an
 * interrupted run still have the mark, and the next run finds them. Every step may be repeated,
 * also by two processes at the same time.
 */
@Injectable()
export class BlogPurgeService {
  private readonly parts: readonly PartStore[];

  constructor(
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
    private readonly store: BlogStore,
    private readonly clock: Clock,
    private readonly env: Env,
    private readonly idempotency: Idempotency,
    previews: PreviewStore,
    comments: CommentStore,
    revisions: RevisionStore,
    notes: NoteStore,
  ) {
    this.parts = [previews, comments, revisions, notes];
  }

  /**
   * Purges one blog in the trash.
   *
   * @param filter must contain the id of the blog
   * @param by the user who purges it
   * @returns false when no blog in the trash matches
   */
  async purge(filter: BlogFilter, by: Types.ObjectId): Promise<boolean> {
    const blog = await this.mark(filter);
    if (blog) await this.finish(blog._id, by);
    return blog !== null;
  }

  /** Whether `purgeDue` would find anything. */
  async isDue(): Promise<boolean> {
    const [marked, expired] = await Promise.all([this.findMarked(), this.findExpired()]);
    return marked.length + expired.length > 0;
  }

  /**
   * Purges every blog that has been in the trash for `TRASH_KEEP`, and finishes interrupted purges.
   *
   * @param signal checked between batches
   * @returns how many blogs were removed
   */
  async purgeDue(signal: AbortSignal): Promise<number> {
    let removed = 0;
    for (let isMore = true; isMore && !signal.aborted;) {
      const expired = await this.findExpired();
      await Promise.all(expired.map((_id) => this.mark({ _id, ...this.expiredFilter() })));
      const marked = await this.findMarked();
      removed += await this.finishAll(marked, null);
      isMore = marked.length > 0;
    }
    return removed;
  }

  /**
   * Purges the marked blogs of an author whose account is deleted.
   *
   * @param signal checked between batches; `purgeDue` does the rest
   * @returns how many blogs were removed
   */
  async purgeAllOf(author: Types.ObjectId, signal?: AbortSignal): Promise<number> {
    let removed = 0;
    for (let isMore = true; isMore && !signal?.aborted;) {
      const marked = await this.findMarked({ author });
      removed += await this.finishAll(marked, author);
      isMore = marked.length > 0;
    }
    return removed;
  }

  /**
   * Finishes the purge of one blog. Does nothing to a blog without the mark.
   *
   * @param by the user who removes the blog; null for the server itself
   * @returns whether this call has removed the blog
   */
  async finish(id: Types.ObjectId, by: Types.ObjectId | null): Promise<boolean> {
    for (;;) {
      const blog = await this.read(id);
      if (!blog) return false;
      if (blog.status === false) return this.remove(id, by);
      const filter = { _id: id, rev: blog.rev, ...IS_PURGING };
      const update = this.purgeUpdate(blog, by ?? blog.author);
      const updated = await this.store.update(filter, update, { returnDocument: 'after' });
      if (!updated?.published) continue;
      await this.finishLive(updated);
      return false;
    }
  }

  /**
   * The update of a marked blog that is not deleted yet. It deletes an unpublished blog. From a live
   * blog it removes the pending edits, the data of reviews and the unpublished revisions.
   */
  private purgeUpdate(blog: PurgedBlog, actor: Types.ObjectId): UpdateStage[] {
    const transition = { now: this.clock.now(), actor };
    if (!blog.published) return [...updateOf('delete', transition), ...MARK];
    const isPending = blog.submitted || blog.drafted;
    return [...(isPending ? updateOf('discard', transition) : []), ...REMOVE_UNPUBLISHED];
  }

  private async finishLive(blog: Blog): Promise<void> {
    for (const part of this.parts) {
      await (part.removeUnpublished?.(blog) ?? part.removeAllOf(blog._id));
    }
    // An editor may have unpublished the blog meanwhile. Then the mark stays, and the blog is
    // removed.
    const filter = { _id: blog._id, published: true, ...IS_PURGING };
    await this.store.update(filter, UNMARK, { returnDocument: 'before' });
  }

  private async remove(id: Types.ObjectId, by: Types.ObjectId | null): Promise<boolean> {
    for (const part of this.parts) await part.removeAllOf(id);
    await this.idempotency.beforeRemoval(this.blogs, { _id: id, ...IS_PURGING });
    const removal = { by, at: this.clock.now() };
    return (await this.store.remove('purge', { _id: id, ...IS_PURGING }, removal)) !== null;
  }

  private async finishAll(
    ids: readonly Types.ObjectId[],
    by: Types.ObjectId | null,
  ): Promise<number> {
    const removed = await Promise.all(ids.map((id) => this.finish(id, by)));
    return removed.filter(Boolean).length;
  }

  /** @returns null when no blog in the trash matches */
  private async mark(filter: BlogFilter): Promise<Blog | null> {
    return this.store.update({ ...filter, ...IN_TRASH }, MARK, { returnDocument: 'before' });
  }

  private async read(id: Types.ObjectId): Promise<PurgedBlog | null> {
    return this.blogs
      .findOne({ _id: id, ...IS_PURGING }, null, BY_ID)
      .select(STATE_FIELDS)
      .read('primary')
      .lean<PurgedBlog | null>();
  }

  private async findMarked(filter: Pick<BlogFilter, 'author'> = {}): Promise<Types.ObjectId[]> {
    const blogs = await this.blogs
      .find({ ...IS_PURGING, ...(filter as QueryFilter<Blog>) })
      .select(['_id'])
      .limit(BATCH)
      .read('primary')
      .lean<Blog[]>();
    return blogs.map(({ _id }) => _id);
  }

  /** The blogs that have been in the trash the longest, if their time there is over. */
  private async findExpired(): Promise<Types.ObjectId[]> {
    const blogs = await this.blogs
      .find({ ...HAS_TRASH_TIME, ...this.expiredFilter() })
      .sort(TRASH_INDEX)
      .select(['_id'])
      .limit(BATCH)
      .lean<Blog[]>();
    return blogs.map(({ _id }) => _id);
  }

  /**
   * Matches the blogs whose time in the trash is over. The filter uses the database's clock, so
   * that no process purges early because its own clock is ahead.
   */
  private expiredFilter(): Pick<BlogFilter, '$expr'> {
    const latest = { $subtract: ['$$NOW', this.env.TRASH_KEEP] };
    return { $expr: { $lte: ['$trashedAt', latest] } };
  }
}
