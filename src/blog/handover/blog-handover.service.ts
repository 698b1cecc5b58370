import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter, Types } from 'mongoose';
import { BlogNotFoundError } from '../core/blog.errors.js';
import { LAST_CHANGED_FIRST } from '../core/blog.indexes.js';
import { Blog } from '../core/blog.schema.js';
import type { BlogFlags } from '../core/blog.state.js';
import { FormerAuthorService } from '../trash/former-author.service.js';
import { BlogTransitionService } from '../core/transitions/blog-transition.service.js';
import type { TransitionedBlog } from '../core/transitions/transition.js';
import { BlogPurgeService } from '../trash/blog-purge.service.js';
import { StaleRevisionError } from '../../platform/http/errors/api.errors.js';
import type { FieldWarning } from '../../platform/http/envelope/envelope.js';
import { Warned } from '../../platform/http/envelope/warned.js';
import { BY_ID } from '../../platform/database/query-hints.js';
import { UserNotFoundError } from '../../user/user.errors.js';
import { UserService } from '../../user/user.service.js';
import { NotAnAuthorError } from './blog-handover.errors.js';
import type { HandoverView } from './handover.view.js';

/** Largest number of blogs that one request hands over: about a second of work. */
const MAX_BLOGS = 200;

/** Number of blogs that are handed over concurrently. */
const BATCH = 8;

/** Number of times that the handover of a blog is tried, because another write may come first. */
const ATTEMPTS = 5;

/**
 * The flags by which the blogs of an author are found: every blog that is not deleted has at least
 * one of these flags, and each flag has an index.
 */
const FLAGS = ['drafted', 'submitted', 'published'] as const satisfies (keyof BlogFlags)[];

/** Who hands blogs over, and to whom. */
interface Handover {
  readonly admin: Types.ObjectId;
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
    private readonly transitions: BlogTransitionService,
    private readonly purges: BlogPurgeService,
    private readonly formerAuthors: FormerAuthorService,
    private readonly users: UserService,
  ) {}

  /**
   * Hands one blog over, including one whose author's account was deleted. Does nothing when the
   * blog is the new author's already.
   *
   * @throws NotAnAuthorError
   * @throws BlogNotFoundError
   * @throws StaleRevisionError
   */
  async handOver(id: Types.ObjectId, handover: Handover): Promise<Warned<undefined>> {
    const given = await this.withNewAuthor(handover, () => this.give(id, handover));
    return new Warned(undefined, given?.warnings ?? []);
  }

  /**
   * Hands over all blogs of one author that are not in the trash. The author's account may be
   * deleted. The call may be repeated: it continues with the blogs that are left.
   *
   * @throws UserNotFoundError the account does not exist, and no blog was handed over
   * @throws NotAnAuthorError
   * @throws StaleRevisionError
   */
  async handOverAll(from: Types.ObjectId, handover: Handover): Promise<Warned<HandoverView>> {
    let count = 0;
    const warnings: FieldWarning[] = [];
    let more = false;
    await this.withNewAuthor(handover, async () => {
      if (from.equals(handover.to)) return;
      for (const flag of FLAGS) {
        for (;;) {
          const ids = await this.findIds({ author: from, [flag]: true, status: true });
          more = ids.length > 0 && count >= MAX_BLOGS;
          if (more || ids.length === 0) break;
          const given = await Promise.all(ids.map((id) => this.giveUnlessDeleted(id, handover)));
          count += given.filter(Boolean).length;
          warnings.push(...given.flatMap((blog) => blog?.warnings ?? []));
        }
        if (more) break;
      }
    });
    if (count === 0 && !(await this.users.exists(from))) throw new UserNotFoundError();
    return new Warned({ count, more }, warnings);
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
      await this.cleanUpIfDeleted(to);
    }
  }

  /**
   * Repeats the clean-up of the new author's account if it was deleted meanwhile. The first
   * clean-up may have run before the last blog was handed over. A clean-up keeps what is live, and
   * removes the rest.
   *
   * @throws NotAnAuthorError after the clean-up
   */
  private async cleanUpIfDeleted(author: Types.ObjectId): Promise<void> {
    if (await this.users.exists(author)) return;
    await this.formerAuthors.cleanUp(author);
    throw new NotAnAuthorError();
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
  private async give(
    id: Types.ObjectId,
    { admin, to }: Handover,
  ): Promise<TransitionedBlog | null> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const blog = await this.read(id);
      // A purge is finished first, because it removes what a former author never published. That must
      // not be handed over.
      if (blog.purging) await this.purges.finish(id, null);
      else if (!blog.authorLeft && to.equals(blog.author)) return null;
      else {
        const given = await this.apply(blog, { admin, to });
        if (given) return given;
      }
    }
    throw new StaleRevisionError();
  }

  /** @returns null when another write came first */
  private async apply(blog: Blog, { admin, to }: Handover): Promise<TransitionedBlog | null> {
    // The write also fails if the blog's author was changed, or the author's account was deleted,
    // since the blog was read.
    const asRead = blog.authorLeft
      ? { ifMatch: new Set([blog.rev]) }
      : { ifMatch: null, owner: blog.author };
    const details = { newAuthor: to };
    try {
      const request = { id: blog._id, actor: admin, details, ...asRead };
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

  private async findIds(filter: QueryFilter<Blog>): Promise<Types.ObjectId[]> {
    const blogs = await this.blogs
      .find(filter)
      .sort(LAST_CHANGED_FIRST)
      .select(['_id'])
      .limit(BATCH)
      .read('primary')
      .lean<Blog[]>();
    return blogs.map(({ _id }) => _id);
  }
}
