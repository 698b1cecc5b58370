import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Types, type Model, type QueryFilter } from 'mongoose';
import { BlogNotFoundError } from '../core/blog.errors.js';
import { Blog } from '../core/blog.schema.js';
import {
  BlogComment,
  COMMENTS_INDEX,
  COMMENTS_MAX,
  OLDEST_COMMENT_FIRST,
} from './store/blog-comment.schema.js';
import { CacheCoherenceService } from '../../platform/caching/cache-coherence.service.js';
import { Clock } from '../../platform/clock.js';
import { newText, replacementOf } from '../../platform/http/validation/new-text.js';
import { skipOf, type PageQuery } from '../../platform/http/pagination/page-query.dto.js';
import { BY_ID, withHint } from '../../platform/database/query-hints.js';
import type { Creation } from '../../platform/idempotency/creation.js';
import { Idempotency } from '../../platform/idempotency/idempotency.service.js';
import { BlogReaders } from '../core/lists/blog-readers.service.js';
import { InvalidBodyError } from '../../platform/http/errors/api.errors.js';
import { FormerAuthorService } from '../trash/former-author.service.js';
import { UserService } from '../../user/user.service.js';
import {
  CommentNotFoundError,
  ForeignCommentError,
  TooManyCommentsError,
  UnknownReplyError,
} from './blog-comments.errors.js';
import { blogFilterOf, type CommentAccess } from './comment-access.js';
import { CommentQuoteService } from './comment-quote.service.js';
import { COMMENT_FIELDS, toCommentView, type CommentView } from './comment.view.js';
import { CommentStore } from './store/comment-store.js';
import { CreateCommentDto } from './dto/create-comment.dto.js';
import { UpdateCommentDto } from './dto/update-comment.dto.js';

const NOT_DELETED = { deleted: { $ne: true } } as const;
const ALSO_DELETED = {} as const;

/**
 * The comments of authors and editors on blogs. Every method throws BlogNotFoundError for a blog on
 * which the user may not comment.
 */
@Injectable()
export class BlogCommentService {
  constructor(
    @InjectModel(BlogComment.name) private readonly comments: Model<BlogComment>,
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
    private readonly store: CommentStore,
    private readonly quotes: CommentQuoteService,
    private readonly users: UserService,
    private readonly readers: BlogReaders,
    private readonly formerAuthors: FormerAuthorService,
    private readonly coherence: CacheCoherenceService,
    private readonly clock: Clock,
    private readonly idempotency: Idempotency,
  ) {}

  /** A page of the comments, oldest first. */
  async list(access: CommentAccess, page: PageQuery): Promise<CommentView[]> {
    await this.checkBlog(access);
    const comments = await this.coherence.read((options) =>
      withHint(COMMENTS_INDEX, (hint) =>
        this.comments
          .find({ blog: access.blog }, null, { ...hint, ...options })
          .sort(OLDEST_COMMENT_FIRST)
          .skip(skipOf(page))
          .limit(page.limit)
          .select(COMMENT_FIELDS)
          .lean<BlogComment[]>(),
      ),
    );
    return this.viewsOf(access, comments);
  }

  /**
   * Stores a comment with the present revision number of the blog.
   *
   * The blog and its comments may be deleted meanwhile. So the blog is read again after the
   * insertion. If the user may no longer comment on it, the new comment is removed.
   *
   * @throws InvalidBodyError `mentions` names somebody who may not comment on the blog, or nobody
   * @throws UnknownReplyError `replyTo` names no comment of the blog
   * @throws TooManyCommentsError the blog has COMMENTS_MAX comments
   * @throws CommentNotFoundError the request is repeated, and its comment was removed meanwhile
   */
  async create(
    access: CommentAccess,
    dto: CreateCommentDto,
    creation: Creation | null = null,
  ): Promise<CommentView> {
    const { blog, userId: by } = access;
    const { rev } = await this.checkBlog(access);
    const comment = await this.idempotency.once<BlogComment>(creation, {
      records: this.comments,
      visible: { blog, by },
      insert: (creationFields) => this.insert(access, dto, { ...creationFields, rev }),
      gone: () => new CommentNotFoundError(),
    });
    await this.removeIfForbidden(access, comment);
    return this.viewOf(access, comment);
  }

  private async insert(
    { blog, userId: by }: CommentAccess,
    { text, quote, replyTo, mentions = [] }: CreateCommentDto,
    fields: Pick<BlogComment, 'rev'> & Partial<Creation>,
  ): Promise<BlogComment> {
    const [isFull, isReplyValid, mentionable] = await Promise.all([
      this.isFull(blog),
      replyTo === undefined || this.has(blog, replyTo),
      mentions.length === 0 ? [] : this.readers.commentersAmong(mentions, blog),
    ]);
    if (!mentions.every((id) => mentionable.some((user) => user.equals(id)))) {
      const message = 'mentions must be ids of people who may comment on the blog';
      throw new InvalidBodyError([{ field: 'mentions', message }]);
    }
    if (!isReplyValid) throw new UnknownReplyError();
    if (isFull) throw new TooManyCommentsError();
    const comment: BlogComment = {
      _id: new Types.ObjectId(),
      blog,
      by,
      text,
      ...(quote === undefined ? {} : { quote }),
      ...(replyTo === undefined ? {} : { replyTo }),
      resolved: false,
      at: this.clock.now(),
      mentions,
      ...fields,
    };
    await this.comments.create(comment);
    if (replyTo !== undefined && !(await this.has(blog, replyTo, ALSO_DELETED))) {
      // The comment was removed meanwhile, without a placeholder; or with one that only this reply has kept.
      await this.comments.deleteOne({ _id: comment._id }, BY_ID);
      await this.store.removeUnanswered(replyTo);
      throw new UnknownReplyError();
    }
    return comment;
  }

  /**
   * Changes the text of a comment, its field `resolved`, or both. Only the user who wrote the comment
   * may change its text.
   *
   * @throws InvalidBodyError for a text that no comment may have, unless it is the stored one
   * @throws CommentNotFoundError
   * @throws ForeignCommentError the request changes the text of another user's comment
   */
  async change(
    access: CommentAccess,
    _id: Types.ObjectId,
    { text: sent, resolved }: UpdateCommentDto,
  ): Promise<CommentView> {
    const { blog, userId } = access;
    await this.checkBlog(access);
    const text = sent === undefined ? undefined : await this.replacement(access, _id, sent);
    const $set = {
      ...(text === undefined ? {} : { text }),
      ...(resolved === undefined ? {} : { resolved }),
    };
    const changed = await this.comments
      .findOneAndUpdate(
        { _id, blog, ...NOT_DELETED, ...(text === undefined ? {} : { by: userId }) },
        { $set },
        { ...BY_ID, returnDocument: 'after' },
      )
      .lean<BlogComment | null>();
    if (!changed) throw await this.refusalOf(access, _id);
    return this.viewOf(access, changed);
  }

  private async replacement(
    { blog, userId: by }: CommentAccess,
    _id: Types.ObjectId,
    sent: string,
  ): Promise<string> {
    const check = (text: string) => newText(text, 'many');
    return replacementOf('text', sent, check, async () => {
      const stored = await this.comments.findOne({ _id, blog, by }, null, BY_ID).lean();
      return stored?.text;
    });
  }

  /**
   * Removes a comment. Replies to it stay, and as long as there are any, a placeholder.
   *
   * @throws CommentNotFoundError
   * @throws ForeignCommentError another user wrote it
   */
  async remove(access: CommentAccess, _id: Types.ObjectId): Promise<void> {
    const { blog, userId } = access;
    await this.checkBlog(access);
    await this.idempotency.beforeRemoval(this.comments, { _id, blog, by: userId });
    const isRemoved = await this.store.remove({ _id, blog, by: userId });
    if (!isRemoved) throw await this.refusalOf(access, _id);
  }

  private async checkBlog(access: CommentAccess): Promise<Pick<Blog, 'rev'>> {
    if (access.as === 'editor') await this.formerAuthors.settle(access.blog);
    const blog = await this.blogs
      .findOne(blogFilterOf(access) as QueryFilter<Blog>, null, BY_ID)
      .select(['rev'])
      .read('primary')
      .lean<Pick<Blog, 'rev'> | null>();
    if (!blog) throw new BlogNotFoundError();
    return blog;
  }

  /**
   * Whether the blog has COMMENTS_MAX comments. Concurrent requests do not see each other's
   * comments, so a blog may get a few more.
   */
  private async isFull(blog: Types.ObjectId): Promise<boolean> {
    const last = await withHint(COMMENTS_INDEX, (hint) =>
      this.comments
        .findOne({ blog })
        .sort(OLDEST_COMMENT_FIRST)
        .skip(COMMENTS_MAX - 1)
        .select(['_id'])
        .setOptions(hint)
        .lean(),
    );
    return last !== null;
  }

  /** Whether the blog has the comment. @param which a placeholder does not count unless ALSO_DELETED is given */
  private async has(
    blog: Types.ObjectId,
    _id: Types.ObjectId,
    which: typeof NOT_DELETED | typeof ALSO_DELETED = NOT_DELETED,
  ): Promise<boolean> {
    const filter = { _id, blog, ...which };
    const query = this.comments.findOne(filter, null, BY_ID).select(['_id']).read('primary');
    return (await query.lean()) !== null;
  }

  private async removeIfForbidden(access: CommentAccess, { _id }: BlogComment): Promise<void> {
    try {
      await this.checkBlog(access);
    } catch (error) {
      if (error instanceof BlogNotFoundError) await this.comments.deleteOne({ _id }, BY_ID);
      throw error;
    }
  }

  /** The error to throw when an update or a removal has matched no comment. */
  private async refusalOf({ blog }: CommentAccess, _id: Types.ObjectId): Promise<Error> {
    return (await this.has(blog, _id)) ? new ForeignCommentError() : new CommentNotFoundError();
  }

  private async viewOf(access: CommentAccess, comment: BlogComment): Promise<CommentView> {
    const [view] = await this.viewsOf(access, [comment]);
    return view as CommentView;
  }

  private async viewsOf(
    access: CommentAccess,
    comments: readonly BlogComment[],
  ): Promise<CommentView[]> {
    const [names, found] = await Promise.all([
      this.users.namesOf(comments.map(({ by }) => by)),
      this.quotes.find(
        access,
        comments.flatMap(({ quote }) => quote ?? []),
      ),
    ]);
    return comments.map((comment) => toCommentView(comment, names, found));
  }
}
