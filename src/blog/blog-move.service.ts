import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import type { CacheDependency } from '../common/cache-subject.js';
import { Clock } from '../common/clock.js';
import { StaleRevisionError } from '../common/http/errors/api.errors.js';
import { acceptsRevision, type IfMatch } from '../common/http/conditional/if-match.js';
import { isDuplicateKey } from '../database/is-duplicate-key.js';
import { CacheCoherenceService } from '../cache/cache-coherence.service.js';
import { BLOG } from './blog.cache.js';
import type { WorkingCopyChanges } from './blog-fields.js';
import { BlogNotFoundError, IllegalMoveError, SlugTakenError } from './blog.errors.js';
import {
  isAllowed,
  isFoundBy,
  MOVES,
  preconditionOf,
  stateOf,
  updateOf,
  type MoveName,
} from './blog.state.js';
import { Blog, HAS_AUTHOR, type BlogFilter } from './blog.schema.js';
import { BlogStore } from './blog-store.js';
import type { CleanHtml } from './html/clean-html.js';

export interface MoveRequest {
  readonly id: Types.ObjectId;
  /** Who does it. */
  readonly actor: Types.ObjectId;
  /** Set for an author's move: the blog must be theirs, and their account be there. */
  readonly owner?: Types.ObjectId;
  readonly ifMatch: IfMatch;
  /** Only for an edit. */
  readonly changes?: WorkingCopyChanges<CleanHtml>;
}

/**
 * How often a move is tried. A write that matched nothing, although `check` finds nothing wrong, lost
 * a race against another write.
 */
const ATTEMPTS = 5;

/** Carries out the moves of `blog.state.ts`, each as one atomic conditional write. */
@Injectable()
export class BlogMoveService {
  constructor(
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
    private readonly store: BlogStore,
    private readonly clock: Clock,
    private readonly coherence: CacheCoherenceService,
  ) {}

  /**
   * @returns the blog after the move; what was unpublished still carries `live` (see MOVES), also
   *   when the record is gone because its author is
   * @throws BlogNotFoundError unknown, deleted, or not the owner's
   * @throws StaleRevisionError `If-Match` names another revision
   * @throws IllegalMoveError not from this state
   * @throws SlugTakenError an edit to a slug of another blog
   */
  async move(name: MoveName, request: MoveRequest): Promise<Blog> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const moved = (await this.write(name, request)) ?? (await this.end(name, request));
      if (moved) return moved;
      await this.check(name, request);
    }
    throw new StaleRevisionError();
  }

  private async write(name: MoveName, request: MoveRequest): Promise<Blog | null> {
    const { id, actor, owner, changes } = request;
    const { answers, endsWithoutAuthor } = MOVES[name];
    const filter: BlogFilter = {
      ...filterOf(name, request),
      ...(owner ? { author: owner } : {}),
      ...(owner || endsWithoutAuthor ? HAS_AUTHOR : {}),
    };
    const now = this.clock.now();
    try {
      const blog = await this.coherence.write(changesOf(name, id), (session) =>
        this.store.update(filter, updateOf(name, now, actor, changes), {
          returnDocument: answers === 'after' ? 'after' : 'before',
          session,
        }),
      );
      if (!blog || answers === 'after') return blog;
      return { ...blog, ...answers(blog), rev: blog.rev + 1, updatedAt: now };
    } catch (error) {
      if (isDuplicateKey(error, 'slugs')) throw new SlugTakenError(String(changes?.slug));
      throw error;
    }
  }

  /** Carries the move out on a blog whose author's account is gone, if that is the blog's end. */
  private async end(name: MoveName, request: MoveRequest): Promise<Blog | null> {
    const { answers, endsWithoutAuthor } = MOVES[name];
    if (!endsWithoutAuthor) return null;
    const filter = { ...filterOf(name, request), authorLeft: true };
    const now = this.clock.now();
    const removal = { by: request.actor, at: now };
    const blog = await this.coherence.write(changesOf(name, request.id), (session) =>
      this.store.remove(name, filter, removal, session),
    );
    if (!blog) return null;
    return { ...blog, ...answers(blog), rev: blog.rev + 1, updatedAt: now };
  }

  /**
   * Finds out whether a move may be made, without making it.
   *
   * @returns the blog as it is; after a failed write that means that a race took the reason away
   * @throws as `move` does, save SlugTakenError
   */
  async check(name: MoveName, { id, owner, ifMatch }: MoveRequest): Promise<Blog> {
    const blog = await this.blogs.findOne({ _id: id }).lean<Blog | null>();
    if (!blog || !isFoundBy(name, blog)) throw new BlogNotFoundError();
    if (owner && (blog.authorLeft || !owner.equals(blog.author))) throw new BlogNotFoundError();
    if (!acceptsRevision(ifMatch, blog.rev)) throw new StaleRevisionError();
    if (!isAllowed(name, blog)) throw new IllegalMoveError(name, stateOf(blog));
    return blog;
  }
}

function filterOf(name: MoveName, { id, ifMatch }: MoveRequest): BlogFilter {
  return {
    _id: id,
    ...(ifMatch === null ? {} : { rev: { $in: [...ifMatch] } }),
    ...preconditionOf(name),
  };
}

/** A move that readers do not see changes nothing that is cached. */
function changesOf(name: MoveName, id: Types.ObjectId): readonly CacheDependency[] {
  return MOVES[name].isPublic ? [BLOG.record(id.toHexString())] : [];
}
