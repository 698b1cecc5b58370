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

interface MoveRequest {
  readonly id: Types.ObjectId;
  /** The user who makes the move. */
  readonly actor: Types.ObjectId;
  /** For a move of an author: the blog must belong to this user, whose account must exist. */
  readonly owner?: Types.ObjectId;
  readonly ifMatch: IfMatch;
  /** For `edit` only. */
  readonly changes?: WorkingCopyChanges<CleanHtml>;
}

/**
 * How often a move is tried. If the write matches no blog and `check` finds no reason, another write
 * came between the two, and the move is tried again.
 */
const ATTEMPTS = 5;

/** Makes the moves of `blog.state.ts`, each as one atomic conditional write. */
@Injectable()
export class BlogMoveService {
  constructor(
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
    private readonly store: BlogStore,
    private readonly clock: Clock,
    private readonly coherence: CacheCoherenceService,
  ) {}

  /**
   * @returns the blog after the move; for `unpublish` the blog before it, with the flags, revision and
   *   time after it (see `result` of MOVES)
   * @throws BlogNotFoundError the blog is unknown, deleted, or not the owner's
   * @throws StaleRevisionError `If-Match` names another revision, or other writes came first each time
   * @throws IllegalMoveError the state of the blog does not allow the move
   * @throws SlugTakenError an edit sets a slug that another blog has
   */
  async move(name: MoveName, request: MoveRequest): Promise<Blog> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const moved =
        (await this.write(name, request)) ?? (await this.removeIfAuthorDeleted(name, request));
      if (moved) return moved;
      await this.check(name, request);
    }
    throw new StaleRevisionError();
  }

  private async write(name: MoveName, request: MoveRequest): Promise<Blog | null> {
    const { id, actor, owner, changes } = request;
    const { result, removesIfAuthorDeleted } = MOVES[name];
    const filter: BlogFilter = {
      ...filterOf(name, request),
      ...(owner ? { author: owner } : {}),
      ...(owner || removesIfAuthorDeleted ? HAS_AUTHOR : {}),
    };
    const now = this.clock.now();
    try {
      const blog = await this.coherence.write(changesOf(name, id), (session) =>
        this.store.update(filter, updateOf(name, now, actor, changes), {
          returnDocument: result === 'after' ? 'after' : 'before',
          session,
        }),
      );
      return blog && resultOf(name, blog, now);
    } catch (error) {
      if (isDuplicateKey(error, 'slugs')) throw new SlugTakenError(String(changes?.slug));
      throw error;
    }
  }

  /** For moves with `removesIfAuthorDeleted`. @returns null unless the author's account is deleted */
  private async removeIfAuthorDeleted(name: MoveName, request: MoveRequest): Promise<Blog | null> {
    if (!MOVES[name].removesIfAuthorDeleted) return null;
    const filter = { ...filterOf(name, request), authorLeft: true };
    const now = this.clock.now();
    const removal = { by: request.actor, at: now };
    const blog = await this.coherence.write(changesOf(name, request.id), (session) =>
      this.store.remove(name, filter, removal, session),
    );
    return blog && resultOf(name, blog, now);
  }

  /**
   * Checks whether a move is allowed, without making it.
   *
   * @returns the blog as it is
   * @throws the same errors as `move`, except SlugTakenError
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

/** The cached values that a move makes out of date: none, if readers do not see the move. */
function changesOf(name: MoveName, id: Types.ObjectId): readonly CacheDependency[] {
  return MOVES[name].isPublic ? [BLOG.record(id)] : [];
}

/** What the caller gets. @param blog the blog after the move, or before it, as MOVES says */
function resultOf(name: MoveName, blog: Blog, now: Date): Blog {
  const { result } = MOVES[name];
  if (result === 'after') return blog;
  return { ...blog, ...result(blog), rev: blog.rev + 1, updatedAt: now };
}
