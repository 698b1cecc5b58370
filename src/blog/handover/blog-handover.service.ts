import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { AuditService } from '../../events/audit/audit.service.js';
import { OUTBOX_RELAY } from '../../events/log/event-log.service.js';
import { CacheCoherenceService } from '../../platform/caching/cache-coherence.service.js';
import { Clock } from '../../platform/clock.js';
import type { Caller } from '../../platform/http/access/current-user.decorator.js';
import { BackgroundService } from '../../platform/jobs/background.service.js';
import { BLOG } from '../core/blog.cache.js';
import { BlogStore } from '../core/blog-store.js';
import { preconditionOf } from '../core/transitions/preconditions.js';
import { updateOf } from '../core/transitions/transition-update.js';
import { BlogNotFoundError } from '../core/blog.errors.js';
import { EDITORIAL_INDEXES } from '../core/blog.indexes.js';
import { Blog } from '../core/blog.schema.js';
import type { AccountJob } from '../jobs/account-job.schema.js';
import { AccountJobs } from '../jobs/account-jobs.service.js';
import { AuthorBlogs } from '../jobs/author-blogs.service.js';
import { toJobView, type JobView } from '../jobs/job.view.js';
import { BlogTransitionService } from '../core/transitions/blog-transition.service.js';
import type { TransitionedBlog, TransitionRequest } from '../core/transitions/transition.js';
import { BlogPurgeService } from '../trash/blog-purge.service.js';
import { StaleRevisionError } from '../../platform/http/errors/api.errors.js';
import { Warned } from '../../platform/http/envelope/warned.js';
import { BY_ID } from '../../platform/database/query-hints.js';
import { UserNotFoundError } from '../../user/user.errors.js';
import { UserService } from '../../user/user.service.js';
import { NotAnAuthorError } from './blog-handover.errors.js';

/** Number of times that the handover of a blog is tried, because another write may come first. */
const ATTEMPTS = 5;

/** Who hands blogs over, and to whom. */
interface Handover extends Pick<TransitionRequest, 'alongside'> {
  readonly admin: Types.ObjectId;
  readonly to: Types.ObjectId;
}

/** What an admin asks for. */
interface RequestedHandover {
  readonly caller: Caller;
  readonly to: Types.ObjectId;
}

/**
 * Lets admins give blogs to another author. Blogs in the trash stay with the author who deleted
 * them.
 */
@Injectable()
export class BlogHandoverService {
  constructor(
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
    private readonly store: BlogStore,
    private readonly coherence: CacheCoherenceService,
    private readonly background: BackgroundService,
    private readonly clock: Clock,
    private readonly transitions: BlogTransitionService,
    private readonly purges: BlogPurgeService,
    private readonly users: UserService,
    private readonly jobs: AccountJobs,
    private readonly authorBlogs: AuthorBlogs,
    private readonly audit: AuditService,
  ) {}

  /**
   * Hands one blog over, including one whose author's account was deleted. Does nothing when the
   * blog is the new author's already.
   *
   * @throws NotAnAuthorError
   * @throws BlogNotFoundError
   * @throws StaleRevisionError
   */
  async handOver(
    id: Types.ObjectId,
    { caller, to }: RequestedHandover,
  ): Promise<Warned<undefined>> {
    const details = { to: to.toHexString() };
    const act = { kind: 'blog.author', actor: caller, subject: id, details } as const;
    const handover: Handover = {
      admin: caller.userId,
      to,
      alongside: (transaction) => this.audit.record(act, transaction),
    };
    const given = await this.withNewAuthor(handover, () => this.give(id, handover));
    return new Warned(undefined, given?.warnings ?? []);
  }

  /**
   * Starts the job that hands over all blogs of one author that are not in the trash. The author's account may be
   * deleted. An unfinished job for the same authors also takes the blogs that were written since it was started.
   *
   * @throws UserNotFoundError the account does not exist, and has left no blog
   * @throws NotAnAuthorError
   */
  async handOverAll(from: Types.ObjectId, { caller, to }: RequestedHandover): Promise<JobView> {
    if (!(await this.users.isEnabledWith(to, 'AUTHOR'))) throw new NotAnAuthorError();
    if (!(await this.users.exists(from)) && !(await this.hasBlog(from)))
      throw new UserNotFoundError();
    const details = { to: to.toHexString() };
    const act = { kind: 'user.blogs', actor: caller, subject: from, details } as const;
    let job: AccountJob | undefined;
    await this.coherence.transaction([], async (transaction) => {
      const added = { kind: 'handOver', from, to, admin: caller.userId } as const;
      job = await this.jobs.add(added, transaction);
      await this.audit.record(act, transaction);
    });
    this.jobs.wake();
    return toJobView(job as AccountJob);
  }

  /**
   * Does the job. It ends early when the new author's account is deleted.
   *
   * @param onDone called with the number of blogs that were handed over since the last call
   * @throws StaleRevisionError
   */
  async continue(
    { from, to, admin, requestedAt }: AccountJob,
    signal: AbortSignal,
    onDone: (count: number) => Promise<void>,
  ): Promise<void> {
    if (!to || !admin || from.equals(to)) return;
    const handover = { admin, to };
    const ended = new AbortController();
    const either = AbortSignal.any([signal, ended.signal]);
    const earlier = { status: true, createdAt: { $not: { $gt: requestedAt } } };
    await this.authorBlogs.inBatches(from, earlier, either, async (ids) => {
      if (!(await this.users.exists(to))) return ended.abort();
      const isLeaving = (await this.jobs.leaving()).some((author) => author.equals(from));
      let count = isLeaving ? 0 : await this.giveAll(ids, from, handover);
      for (const id of count < ids.length ? await this.leftOf(ids, from) : []) {
        if (await this.giveUnlessDeleted(id, handover)) count += 1;
      }
      await onDone(count);
    });
    await this.cleanUpIfDeleted(to);
  }

  /** Does the work if the new author may get blogs, and cleans up if the account is deleted meanwhile. */
  private async withNewAuthor<Result>(
    { to }: Handover,
    work: () => Promise<Result>,
  ): Promise<Result> {
    if (!(await this.users.isEnabledWith(to, 'AUTHOR'))) throw new NotAnAuthorError();
    try {
      return await work();
    } finally {
      if (await this.cleanUpIfDeleted(to)) throw new NotAnAuthorError();
    }
  }

  /**
   * Asks for the clean-up of the new author's account again if it was deleted meanwhile: it may have ended before the
   * last blog was handed over. A clean-up keeps what is live, and removes the rest.
   *
   * @returns whether the account was deleted
   */
  private async cleanUpIfDeleted(author: Types.ObjectId): Promise<boolean> {
    if (await this.users.exists(author)) return false;
    await this.jobs.add({ kind: 'accountDeletion', from: author });
    return true;
  }

  /**
   * Hands over many blogs of one author with one command. It leaves those that are being purged, and those of an older
   * version, which have no revisions yet.
   *
   * @returns how many blogs were handed over
   */
  private async giveAll(
    ids: readonly Types.ObjectId[],
    from: Types.ObjectId,
    { admin, to }: Handover,
  ): Promise<number> {
    const filter = {
      _id: { $in: ids },
      author: from,
      ...preconditionOf('handOver'),
      purging: null,
      revisions: { $exists: true },
    };
    const details = { newAuthor: to };
    const update = updateOf('handOver', { now: this.clock.now(), actor: admin, details });
    const outdated = ids.map((id) => BLOG.record(id));
    const count = await this.coherence.write(outdated, (session) =>
      this.store.updateMany(filter, update, session),
    );
    this.background.wake(OUTBOX_RELAY);
    return count;
  }

  /** @returns null when the blog was deleted meanwhile, or is the new author's */
  private async giveUnlessDeleted(
    id: Types.ObjectId,
    handover: Handover,
  ): Promise<TransitionedBlog | null> {
    try {
      return await this.give(id, handover);
    } catch (error) {
      if (error instanceof BlogNotFoundError) return null;
      throw error;
    }
  }

  /** @returns null when the blog is the new author's already */
  private async give(id: Types.ObjectId, handover: Handover): Promise<TransitionedBlog | null> {
    const { to } = handover;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const blog = await this.read(id);
      // A purge is finished first, because it removes what a former author never published. That must
      // not be handed over.
      if (blog.purging) await this.purges.finish([id], null);
      else if (!blog.authorLeft && to.equals(blog.author)) return null;
      else {
        const given = await this.apply(blog, handover);
        if (given) return given;
      }
    }
    throw new StaleRevisionError();
  }

  /** @returns null when another write came first */
  private async apply(
    blog: Blog,
    { admin, to, alongside }: Handover,
  ): Promise<TransitionedBlog | null> {
    // The write also fails if the blog's author was changed, or the author's account was deleted,
    // since the blog was read.
    const asRead = blog.authorLeft
      ? { ifMatch: new Set([blog.rev]) }
      : { ifMatch: null, owner: blog.author };
    const details = { newAuthor: to };
    try {
      const request = { id: blog._id, actor: admin, details, alongside, ...asRead };
      return await this.transitions.apply('handOver', request);
    } catch (error) {
      if (error instanceof StaleRevisionError || error instanceof BlogNotFoundError) return null;
      throw error;
    }
  }

  /** @throws BlogNotFoundError also for a deleted blog */
  private async read(id: Types.ObjectId): Promise<Blog> {
    const blog = await this.blogs
      .findOne({ _id: id, status: true }, null, BY_ID)
      .select(['author', 'authorLeft', 'purging', 'rev'])
      .read('primary')
      .lean<Blog | null>();
    if (!blog) throw new BlogNotFoundError();
    return blog;
  }

  /** Finds out which of the blogs are still the author's. */
  private async leftOf(
    ids: readonly Types.ObjectId[],
    author: Types.ObjectId,
  ): Promise<Types.ObjectId[]> {
    const blogs = await this.blogs
      .find({ _id: { $in: ids }, author, status: true }, null, BY_ID)
      .select(['_id'])
      .read('primary')
      .lean<Blog[]>();
    return blogs.map(({ _id }) => _id);
  }

  private async hasBlog(author: Types.ObjectId): Promise<boolean> {
    const query = this.blogs.findOne({ author }, null, { hint: EDITORIAL_INDEXES.published });
    return (await query.select(['_id']).read('primary').lean()) !== null;
  }
}
