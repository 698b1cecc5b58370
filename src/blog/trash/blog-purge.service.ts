import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { Clock } from '../../platform/clock.js';
import { Env } from '../../platform/config/env.js';
import { BY_ID } from '../../platform/database/query-hints.js';
import { Idempotency } from '../../platform/idempotency/idempotency.service.js';
import { HAS_TRASH_TIME, IS_PURGING, TRASH_INDEX } from '../core/blog.indexes.js';
import { Blog, IN_TRASH, type BlogFilter } from '../core/blog.schema.js';
import { BlogStore } from '../core/blog-store.js';
import { CommentStore } from '../comments/store/comment-store.js';
import { NOBODY } from '../comments/store/blog-comment.schema.js';
import { removal } from '../history/event-stages.js';
import { updateOf } from '../core/transitions/transition-update.js';
import { NoteStore } from '../history/note-store.js';
import { PreviewStore } from '../previews/preview-store.js';
import { RevisionStore } from '../revisions/store/revision-store.js';
import { MARK, REMOVE_UNPUBLISHED, UNMARK } from './purge-stages.js';

/** A store of records that belong to blogs. Its methods may be repeated. */
interface PartStore {
  /** Removes all records of these blogs. */
  removeAllOf(blogs: readonly Types.ObjectId[]): Promise<unknown>;
  /**
   * Removes the unpublished records of blogs that stay. If a store has no published records, it
   * lacks this method, and the purge calls `removeAllOf`.
   */
  removeUnpublished?(blogs: readonly PurgedBlog[]): Promise<unknown>;
}

/** Number of blogs that are purged together. */
const BATCH = 100;

/** What a purge needs to know of a blog. */
const STATE_FIELDS = ['status', 'published', 'rev', 'revisions', 'requestHash'] as const;

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
    const marked = { ...filter, ...IN_TRASH };
    const blog = await this.store.update(marked, MARK, { returnDocument: 'before' });
    if (blog) await this.finish([blog._id], by);
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
      const filter = { _id: { $in: expired }, ...IN_TRASH, ...this.expiredFilter() };
      if (expired.length > 0) await this.store.updateMany(filter, MARK);
      const marked = await this.findMarked();
      removed += await this.finish(marked, null);
      isMore = marked.length > 0;
    }
    return removed;
  }

  /**
   * Finishes the purge of blogs. Does nothing to blogs without the mark.
   *
   * @param by the user who removes the blogs; null for the server itself
   * @returns how many blogs this call has removed
   */
  async finish(ids: readonly Types.ObjectId[], by: Types.ObjectId | null): Promise<number> {
    let removed = 0;
    for (;;) {
      const blogs = await this.read(ids);
      if (blogs.length === 0) return removed;
      const deleted = blogs.filter(({ status }) => status === false);
      if (deleted.length > 0) removed += await this.remove(deleted, by);
      if (deleted.length < blogs.length) await this.removeUnpublished(ids, by);
    }
  }

  /**
   * Deletes the unpublished blogs among those that are marked. From live blogs it removes the pending edits, the data
   * of reviews, the unpublished revisions and the mark.
   */
  private async removeUnpublished(
    ids: readonly Types.ObjectId[],
    by: Types.ObjectId | null,
  ): Promise<void> {
    const marked = { _id: { $in: ids }, status: { $ne: false }, ...IS_PURGING };
    const live = { ...marked, published: true };
    const transition = { now: this.clock.now(), actor: by ?? NOBODY, by };
    await this.store.updateMany({ ...marked, published: { $ne: true } }, [
      ...updateOf('delete', transition),
      ...MARK,
    ]);
    await this.store.updateMany(
      { ...live, $or: [{ submitted: true }, { drafted: true }] },
      updateOf('discard', transition),
    );
    await this.store.updateMany(live, REMOVE_UNPUBLISHED);
    const kept = (await this.read(ids)).filter(({ published }) => published);
    if (kept.length === 0) return;
    const keptIds = kept.map(({ _id }) => _id);
    for (const part of this.parts) {
      await (part.removeUnpublished?.(kept) ?? part.removeAllOf(keptIds));
    }
    // An editor may have unpublished a blog meanwhile. Then the mark stays, and the blog is removed.
    await this.store.updateMany({ ...live, _id: { $in: keptIds } }, UNMARK);
  }

  private async remove(blogs: readonly PurgedBlog[], by: Types.ObjectId | null): Promise<number> {
    const ids = blogs.map(({ _id }) => _id);
    for (const part of this.parts) await part.removeAllOf(ids);
    await this.idempotency.storeAllRemoved(blogs);
    const filter = { _id: { $in: ids }, status: false, ...IS_PURGING };
    return this.store.updateMany(filter, removal('purge', { by, at: this.clock.now() }));
  }

  private async read(ids: readonly Types.ObjectId[]): Promise<PurgedBlog[]> {
    return this.blogs
      .find({ _id: { $in: ids }, ...IS_PURGING }, null, BY_ID)
      .select(STATE_FIELDS)
      .read('primary')
      .lean<PurgedBlog[]>();
  }

  private async findMarked(): Promise<Types.ObjectId[]> {
    const blogs = await this.blogs
      .find(IS_PURGING)
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
