import { Injectable, type HttpException } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { ClientSession, Model, mongo, Types } from 'mongoose';
import type { CacheDependency } from '../../../platform/caching/cache-subject.js';
import { BackgroundService } from '../../../platform/jobs/background.service.js';
import { Clock } from '../../../platform/clock.js';
import { StaleRevisionError } from '../../../platform/http/errors/api.errors.js';
import { acceptsRevision } from '../../../platform/http/conditional/if-match.js';
import { Env } from '../../../platform/config/env.js';
import { OPERATION_MAX_MS } from '../../../platform/database/client-options.js';
import { duplicateValue, isDuplicateKey } from '../../../platform/database/is-duplicate-key.js';
import { BY_ID } from '../../../platform/database/query-hints.js';
import { inTransaction } from '../../../platform/database/transaction-option.js';
import { OUTBOX_RELAY } from '../../../events/log/event-log.service.js';
import { CacheCoherenceService } from '../../../platform/caching/cache-coherence.service.js';
import { BLOG } from '../blog.cache.js';
import {
  BlogNotFoundError,
  IllegalTransitionError,
  OtherEditorNeededError,
  ScheduleOrderError,
  SlugTakenError,
} from '../blog.errors.js';
import { Blog, HAS_AUTHOR, type BlogFilter } from '../blog.schema.js';
import { stateOf } from '../blog.state.js';
import { BlogStore } from '../blog-store.js';
import { isAnnounced } from '../../history/announcements.js';
import { HtmlCleaner } from '../html/html-cleaner.js';
import { RevisionStore } from '../../revisions/store/revision-store.js';
import { SearchIndexer } from '../../public/search/index/search-indexer.js';
import { FormerAuthorService } from '../../trash/former-author.service.js';
import { BlogPurgeService } from '../../trash/blog-purge.service.js';
import { hasTimes, needsSchedule } from './schedule-stages.js';
import type { TransitionedBlog, TransitionRequest } from './transition.js';
import { transitionOf, type TransitionName } from './transition-table.js';
import { resultOf, updateOf } from './transition-update.js';
import {
  changeFilter,
  isAllowed,
  isFoundBy,
  isSkipped,
  needsCleanText,
  needsEdits,
  needsOtherEditor,
  preconditionOf,
} from './preconditions.js';
import { conflictingTime, scheduleOrderFilter } from './schedule-order.js';

interface TransitionWrite extends TransitionRequest {
  /** A further condition of the write. */
  readonly condition?: BlogFilter;
  /** What was read of the blog, with a schedule that it still has when the write is made. */
  readonly before?: Pick<Blog, 'schedule'>;
}

/**
 * Number of times that a transition is tried. If the write matches no blog and `check` allows the
 * transition, the blog was changed in between, its revisions were not adopted yet, its text was stored under another
 * HTML policy, or it has a schedule.
 */
const ATTEMPTS = 10;

/** Makes the transitions of `transition-table.ts`, each as one atomic conditional write. */
@Injectable()
export class BlogTransitionService {
  constructor(
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
    private readonly store: BlogStore,
    private readonly revisions: RevisionStore,
    private readonly formerAuthors: FormerAuthorService,
    private readonly purges: BlogPurgeService,
    private readonly indexer: SearchIndexer,
    private readonly html: HtmlCleaner,
    private readonly clock: Clock,
    private readonly coherence: CacheCoherenceService,
    private readonly background: BackgroundService,
    private readonly env: Env,
  ) {}

  /**
   * @returns the blog after the transition; for `unpublish` the blog before it, but with the new flags,
   *   `rev` and `updatedAt`, and without a schedule (see `result` in TRANSITIONS). If the changes change
   *   nothing and the transition is then skipped, the blog as it is stored.
   * @throws BlogNotFoundError the blog is unknown, deleted, or not the owner's
   * @throws StaleRevisionError `If-Match` names another revision, or another write came first in
   *   every attempt
   * @throws IllegalTransitionError the state of the blog does not allow the transition
   * @throws OtherEditorNeededError with `FOUR_EYES=on`, when another editor has to make the
   *   transition
   * @throws ScheduleOrderError a new time contradicts the other time, which is already scheduled
   * @throws SlugTakenError another blog has the new slug
   */
  async apply(name: TransitionName, request: TransitionRequest): Promise<TransitionedBlog> {
    await this.settle(request);
    let found: Pick<Blog, 'schedule'> = {};
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const written = await this.attempt(
        name,
        { ...request, areTextsCompared: attempt > 0 },
        found,
      );
      if (written) {
        await this.removeIfAuthorDeleted(name, request, written);
        return written;
      }
      const blog = await this.check(name, request);
      const texts = needsCleanText(name, blog, request.changes)
        ? await this.html.servedTexts(blog, request.actor.toHexString())
        : {};
      if (isSkipped(name, { ...blog, ...texts }, request.changes)) return blog;
      if (!blog.revisions) await this.revisions.adopt(blog._id);
      found = blog;
    }
    throw new StaleRevisionError();
  }

  /**
   * @param found the blog that `check` has found since the last attempt; before the first one, a blog
   *   without a schedule, which most are
   * @returns null if the transition was not made: `check` then finds the reason
   */
  private async attempt(
    name: TransitionName,
    request: TransitionRequest,
    found: Pick<Blog, 'schedule'>,
  ): Promise<TransitionedBlog | null> {
    const transition = transitionOf(name);
    const { revision, isIndexed, notBy } = transition;
    if (revision === 'of new content') return this.writeWithContent(name, request);
    if (isIndexed || (this.isFourEyes && notBy !== 'nobody'))
      return this.writeAsRead(name, request);
    if (needsSchedule(transition)) {
      return this.write(name, { ...request, before: found, condition: hasTimes(found.schedule) });
    }
    const condition = changeFilter(name, request.changes, request.areTextsCompared);
    return this.write(name, { ...request, condition });
  }

  /**
   * Stores the content of the new revision, and then makes the transition if the blog has not
   * changed since it was read.
   *
   * @returns null if the write matches no blog, or if the blog that was read does not allow the
   *   transition: `check` then finds the reason
   */
  private async writeWithContent(
    name: TransitionName,
    request: TransitionRequest,
  ): Promise<TransitionedBlog | null> {
    const snapshot = await this.revisions.read(request.id);
    if (!snapshot?.blog.revisions || this.refusalOf(name, request, snapshot.blog)) return null;
    const { blog, readAt } = snapshot;
    if (isSkipped(name, blog, request.changes)) return null;
    if (!request.areTextsCompared && needsCleanText(name, blog, request.changes)) return null;
    const { content, inTime } = await this.revisions.store({
      // Null stands for a removed field.
      blog: { ...blog, ...request.changes } as Blog,
      readAt,
    });
    const written = await this.write(name, {
      ...request,
      before: blog,
      ifMatch: new Set([blog.rev]),
      details: { ...request.details, content },
      condition: inTime,
    });
    // The content is not discarded after an error: the transition may have been made. The sweep
    // removes a content that no blog names.
    if (!written) await this.revisions.discard(content);
    return written;
  }

  /**
   * Makes the transition if the blog that is read allows it and has not changed since. It is read for
   * what no filter can decide, who contributed, and for the words by which a search finds it.
   *
   * @returns null as `writeWithContent` does
   */
  private async writeAsRead(
    name: TransitionName,
    request: TransitionRequest,
  ): Promise<TransitionedBlog | null> {
    const blog = await this.readWorkingCopy(request.id);
    if (!blog?.revisions || this.refusalOf(name, request, blog)) return null;
    const found = transitionOf(name).isIndexed ? await this.indexer.wordsOf(blog) : undefined;
    const details = { ...request.details, ...found };
    const ifMatch = new Set([blog.rev]);
    const written = await this.write(name, { ...request, before: blog, ifMatch, details });
    if (written && found) this.indexer.remember(found.spellings);
    return written;
  }

  private async write(
    name: TransitionName,
    request: TransitionWrite,
  ): Promise<TransitionedBlog | null> {
    const { id, owner, before } = request;
    const { result } = transitionOf(name);
    const filter: BlogFilter = {
      ...this.filterOf(name, request),
      // A blog of an older version has no `revisions` before its first transition (see
      // RevisionStore.adopt).
      revisions: { $exists: true },
      ...(owner ? HAS_AUTHOR : {}),
    };
    const now = this.clock.now();
    const update = updateOf(name, { ...request, now, revisionsKept: this.env.REVISIONS_KEEP });
    try {
      const returnDocument = result === 'after' ? 'after' : 'before';
      const blog = await this.writeOnce(outdatedBy(name, id), request, (options) =>
        this.store.update(filter, update, { returnDocument, ...options }),
      );
      if (!blog) return null;
      if (isAnnounced(name)) this.background.wake(OUTBOX_RELAY);
      return resultOf(name, blog, now, before);
    } catch (error) {
      if (isDuplicateKey(error, 'slugs'))
        throw new SlugTakenError(String(duplicateValue(error, 'slugs')));
      throw error;
    }
  }

  /** Makes the write of a transition, in a transaction only if something is written alongside. */
  private async writeOnce(
    changes: readonly CacheDependency[],
    { alongside }: TransitionRequest,
    write: (options: { readonly session?: ClientSession }) => Promise<Blog | null>,
  ): Promise<Blog | null> {
    if (!alongside) return this.coherence.write(changes, (session) => write({ session }));
    let blog: Blog | null = null;
    await this.coherence.transaction(changes, async (transaction) => {
      blog = await write(inTransaction(transaction));
      if (blog) await alongside(transaction);
    });
    return blog;
  }

  /**
   * Removes a blog whose author's account is deleted, after a transition with
   * `removesIfAuthorDeleted` has marked the blog with `purging`.
   */
  private async removeIfAuthorDeleted(
    name: TransitionName,
    { id, actor }: TransitionRequest,
    { authorLeft }: Blog,
  ): Promise<void> {
    if (authorLeft && transitionOf(name).removesIfAuthorDeleted)
      await this.purges.finish([id], actor);
  }

  /**
   * Checks whether a transition is allowed, without making it.
   *
   * @returns the blog as it is stored
   * @throws the same errors as `apply`, except SlugTakenError
   */
  async check(name: TransitionName, request: TransitionRequest): Promise<Blog> {
    await this.settle(request);
    const blog = await this.read(request.id);
    if (!blog) throw new BlogNotFoundError();
    const refusal = this.refusalOf(name, request, blog);
    if (refusal) throw refusal;
    return blog;
  }

  private async settle({ id, actor, owner }: TransitionRequest): Promise<void> {
    if (!owner?.equals(actor)) await this.formerAuthors.settle(id);
  }

  /** Reads the blog from the primary: a secondary may lack a change that forbids the transition. */
  private async read(id: Types.ObjectId): Promise<Blog | null> {
    return this.blogs.findOne({ _id: id }).read('primary').lean<Blog | null>();
  }

  /**
   * Reads the blog without its published text. The driver runs the query, because Mongoose
   * would take longer than finding the words does.
   */
  private async readWorkingCopy(id: Types.ObjectId): Promise<Blog | null> {
    const blogs = this.blogs.collection as unknown as mongo.Collection<Blog>;
    const projection = { text: 0, events: 0, 'live.words': 0 };
    const options = { ...BY_ID, projection, maxTimeMS: OPERATION_MAX_MS } as const;
    return blogs.findOne({ _id: id }, { ...options, readPreference: 'primary' });
  }

  /** @returns the error for a transition that this blog does not allow, else null */
  private refusalOf(
    name: TransitionName,
    { actor, owner, ifMatch, isPassed, details = {} }: TransitionRequest,
    blog: Blog,
  ): HttpException | null {
    if (!isFoundBy(name, blog)) return new BlogNotFoundError();
    if (owner && (blog.authorLeft || !owner.equals(blog.author))) return new BlogNotFoundError();
    if (!acceptsRevision(ifMatch, blog.rev)) return new StaleRevisionError();
    if (!isAllowed(name, blog)) return new IllegalTransitionError(name, stateOf(blog));
    if (needsEdits(name, blog)) return new IllegalTransitionError(name, 'live');
    if (this.isFourEyes && !isPassed && needsOtherEditor(name, actor, blog)) {
      return new OtherEditorNeededError(name);
    }
    const conflict = conflictingTime(blog, details);
    return conflict && new ScheduleOrderError(conflict);
  }

  private get isFourEyes(): boolean {
    return this.env.FOUR_EYES === 'on';
  }

  private filterOf(name: TransitionName, request: TransitionWrite): BlogFilter {
    const { id, owner, ifMatch, due, condition = {}, details = {} } = request;
    const filter: BlogFilter = {
      _id: id,
      ...(ifMatch === null ? {} : { rev: { $in: [...ifMatch] } }),
      ...preconditionOf(name),
      ...due,
    };
    const ofOwner = owner ? { author: owner } : {};
    // `$and` keeps filters apart that may name the same field or operator.
    return { ...filter, $and: [ofOwner, scheduleOrderFilter(details), condition] };
  }
}

/**
 * The cached values that a transition makes out of date: none, if the transition changes nothing
 * that readers see.
 */
function outdatedBy(name: TransitionName, id: Types.ObjectId): readonly CacheDependency[] {
  return transitionOf(name).isPublic ? [BLOG.record(id)] : [];
}
