import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { Clock } from '../common/clock.js';
import { StaleRevisionError } from '../common/http/errors/api.errors.js';
import { acceptsRevision, type IfMatch } from '../common/http/conditional/if-match.js';
import { BY_ID } from '../database/by-id.js';
import { OPERATION_MAX_MS } from '../database/client-options.js';
import { isDuplicateKey } from '../database/is-duplicate-key.js';
import type { Change } from '../cache/changes.js';
import { CacheCoherenceService } from '../cache/cache-coherence.service.js';
import { BlogNotFoundError, IllegalMoveError, SlugTakenError } from './blog.errors.js';
import {
  isAllowed,
  isFoundBy,
  MOVES,
  preconditionOf,
  stateOf,
  updateOf,
  type MoveName,
  type WorkingCopyChanges,
} from './blog.state.js';
import { Blog, HAS_AUTHOR } from './blog.schema.js';
import { removal } from './events/event-stages.js';

export interface MoveRequest {
  readonly id: Types.ObjectId;
  /** Who does it. */
  readonly actor: Types.ObjectId;
  /** Set for an author's move: the blog must be theirs, and their account be there. */
  readonly owner?: Types.ObjectId;
  readonly ifMatch: IfMatch;
  /** Only for an edit. */
  readonly changes?: WorkingCopyChanges;
}

/** A write that lost a race is diagnosed and tried again; more than this many losses is absurd. */
const ATTEMPTS = 5;

/** Carries out the moves of `blog.state.ts`, each as one atomic conditional write. */
@Injectable()
export class BlogMoveService {
  constructor(
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
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
    const filter = {
      ...filterOf(name, request),
      ...(owner ? { author: owner } : {}),
      ...(owner || endsWithoutAuthor ? HAS_AUTHOR : {}),
    };
    const now = this.clock.now();
    try {
      const blog = (await this.coherence.write(concernedBy(name, id), (session) =>
        // The driver's own: there is nothing to cast, and Mongoose would copy filter and texts for it.
        this.blogs.collection.findOneAndUpdate(filter, updateOf(name, now, actor, changes), {
          ...BY_ID,
          returnDocument: answers === 'after' ? 'after' : 'before',
          maxTimeMS: OPERATION_MAX_MS,
          session,
        }),
      )) as Blog | null;
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
    const update = removal(name, { by: request.actor, at: now });
    const blog = (await this.coherence.write(concernedBy(name, request.id), (session) =>
      this.blogs.collection.findOneAndUpdate(filter, update, {
        ...BY_ID,
        returnDocument: 'before',
        session,
      }),
    )) as Blog | null;
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

function filterOf(name: MoveName, { id, ifMatch }: MoveRequest): Record<string, unknown> {
  return {
    _id: id,
    ...(ifMatch === null ? {} : { rev: { $in: [...ifMatch] } }),
    ...preconditionOf(name),
  };
}

function concernedBy(name: MoveName, id: Types.ObjectId): readonly Change[] {
  return MOVES[name].isPublic ? [{ of: 'blog', id: id.toHexString() }] : [];
}
