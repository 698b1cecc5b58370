import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Types, type Model } from 'mongoose';
import { BLOG_FIELDS, type NewBlogBody } from '../blog/blog-fields.js';
import { BlogMoveService } from '../blog/blog-move.service.js';
import { BlogStore, newBlog } from '../blog/blog-store.js';
import { BlogNotFoundError, SlugTakenError } from '../blog/blog.errors.js';
import type { BlogFlags, MoveName } from '../blog/blog.state.js';
import { NOT_REMOVED } from '../blog/events/event-stages.js';
import { BlogHistoryService } from '../blog/events/blog-history.service.js';
import type { CleanHtml } from '../blog/html/clean-html.js';
import { HtmlCleaner } from '../blog/html/html-cleaner.js';
import { Blog, HAS_AUTHOR } from '../blog/blog.schema.js';
import { slugCandidates, slugFromTitle } from '../blog/text/slug.js';
import {
  EDITORIAL_ITEM_FIELDS,
  toEditorialItemView,
  type EditorialItemView,
} from '../blog/views/editorial-item.view.js';
import type { HistoryItemView } from '../blog/views/history-item.view.js';
import { toAuthorBlogView, type EditorialBlogView } from '../blog/views/editorial-blog.view.js';
import { toNewWorkingCopy, toWorkingCopy } from '../blog/working-copy.js';
import { Clock } from '../common/clock.js';
import type { IfMatch } from '../common/http/conditional/if-match.js';
import { Revisioned } from '../common/http/conditional/revisioned.js';
import { skipOf, type PageQuery } from '../common/pagination/page-query.dto.js';
import { hasLength } from '../common/validation/text-length.js';
import { BY_ID } from '../database/by-id.js';
import { isDuplicateKey } from '../database/is-duplicate-key.js';
import { AccountDeletedError } from '../user/user.errors.js';
import { UserService } from '../user/user.service.js';
import { DraftTextError, ForeignIdError } from './blog-author.errors.js';
import { UpdateBlogDto, UpdateNamedBlogDto } from './dto/update-blog.dto.js';

/** What an author may do with their own blogs; anyone else's do not exist here. */
@Injectable()
export class BlogAuthorService {
  constructor(
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
    private readonly store: BlogStore,
    private readonly moves: BlogMoveService,
    private readonly users: UserService,
    private readonly html: HtmlCleaner,
    private readonly clock: Clock,
    private readonly histories: BlogHistoryService,
  ) {}

  /**
   * @throws SlugTakenError for a given slug
   * @throws AccountDeletedError the author's account went meanwhile; nothing is stored then
   * @throws DraftTextError @throws UnavailableError
   */
  async create(
    author: Types.ObjectId,
    { slug, draftText, tags = [], ...others }: NewBlogBody,
  ): Promise<Revisioned<EditorialBlogView>> {
    const text = await this.clean(draftText);
    const copy = toNewWorkingCopy({ ...others, draftText: text, tags });
    const wanted = slug ?? slugFromTitle(others.title);
    const candidates = slug === undefined ? slugCandidates(wanted, randomEnding) : [wanted];
    const now = this.clock.now();
    for (const candidate of candidates) {
      const blog = newBlog({ author, copy, slug: candidate, now });
      if (!(await this.insert(blog))) continue;
      await this.takeBackWithoutAuthor(blog);
      return this.revisioned(blog);
    }
    throw new SlugTakenError(wanted);
  }

  /**
   * @throws ForeignIdError, DraftTextError, UnavailableError, and what `BlogMoveService.move` throws
   */
  async update(
    author: Types.ObjectId,
    id: Types.ObjectId,
    { _id, draftText, ...others }: UpdateBlogDto,
    ifMatch: IfMatch,
  ): Promise<Revisioned<EditorialBlogView>> {
    if (_id !== undefined && _id.toLowerCase() !== id.toHexString()) throw new ForeignIdError();
    const text = draftText === undefined ? undefined : await this.clean(draftText);
    const changes = toWorkingCopy({ ...others, draftText: text });
    const request = { id, actor: author, owner: author, ifMatch, changes };
    const isEmpty = Object.keys(changes).length === 0;
    const blog = isEmpty
      ? await this.moves.check('edit', request)
      : await this.moves.move('edit', request);
    return this.revisioned(blog);
  }

  /** The same for a body that names the blog, as clients of the older server send it. */
  async updateNamed(
    author: Types.ObjectId,
    dto: UpdateNamedBlogDto,
    ifMatch: IfMatch,
  ): Promise<Revisioned<EditorialBlogView>> {
    return this.update(author, new Types.ObjectId(dto._id), dto, ifMatch);
  }

  /** @throws what `BlogMoveService.move` throws */
  async move(
    name: Extract<MoveName, 'submit' | 'withdraw' | 'discard'>,
    author: Types.ObjectId,
    id: Types.ObjectId,
    ifMatch: IfMatch,
  ): Promise<Revisioned<EditorialBlogView>> {
    return this.revisioned(
      await this.moves.move(name, { id, actor: author, owner: author, ifMatch }),
    );
  }

  /** @throws what `BlogMoveService.move` throws */
  async remove(author: Types.ObjectId, id: Types.ObjectId, ifMatch: IfMatch): Promise<void> {
    await this.moves.move('delete', { id, actor: author, owner: author, ifMatch });
  }

  /** @throws BlogNotFoundError also for a blog of someone else */
  async get(author: Types.ObjectId, id: Types.ObjectId): Promise<Revisioned<EditorialBlogView>> {
    const blog = await this.blogs.findOne(ownBlog(author, id), null, BY_ID).lean<Blog | null>();
    if (!blog) throw new BlogNotFoundError();
    return this.revisioned(blog);
  }

  /**
   * What happened to one of the author's blogs, the latest first.
   *
   * @throws BlogNotFoundError also for a blog of someone else
   */
  async history(
    author: Types.ObjectId,
    id: Types.ObjectId,
    page: PageQuery,
  ): Promise<HistoryItemView[]> {
    return this.histories.read(ownBlog(author, id), page);
  }

  /** The author's blogs with this flag, latest change first. */
  async list(
    author: Types.ObjectId,
    flag: keyof BlogFlags,
    page: PageQuery,
  ): Promise<EditorialItemView[]> {
    const [blogs, names] = await Promise.all([
      this.blogs
        .find({ author, [flag]: true })
        .sort({ updatedAt: -1, _id: -1 })
        .skip(skipOf(page))
        .limit(page.limit)
        .select(EDITORIAL_ITEM_FIELDS)
        .lean<Blog[]>(),
      this.users.namesOf([author]),
    ]);
    return blogs.map((blog) => toEditorialItemView(blog, blog, names));
  }

  /** @throws DraftTextError when too little or too much is left of the text; UnavailableError */
  private async clean(draftText: string): Promise<CleanHtml> {
    const cleaned = await this.html.clean(draftText);
    if (!hasLength(cleaned, BLOG_FIELDS.draftText.cleaned)) throw new DraftTextError();
    return cleaned;
  }

  /** @returns false when the slug is taken, also by a pending change of another blog */
  private async insert(blog: Blog): Promise<boolean> {
    try {
      await this.store.insert(blog);
      return true;
    } catch (error) {
      if (isDuplicateKey(error, 'slugs')) return false;
      throw error;
    }
  }

  /**
   * A blog that was stored after the sweep of its author's account would stay for ever. Either that
   * sweep sees the blog, or this look, which comes after it was stored, finds the account gone.
   */
  private async takeBackWithoutAuthor({ _id, author }: Blog): Promise<void> {
    if (await this.users.exists(author)) return;
    await this.store.remove(
      'delete',
      { _id, ...NOT_REMOVED },
      { by: author, at: this.clock.now() },
    );
    throw new AccountDeletedError();
  }

  private async revisioned(blog: Blog): Promise<Revisioned<EditorialBlogView>> {
    const names = await this.users.namesOf([blog.author]);
    const texts = await this.html.servedTexts(blog);
    return new Revisioned(toAuthorBlogView(blog, texts, names), blog.rev);
  }
}

/** What an author may read by its id. */
function ownBlog(author: Types.ObjectId, _id: Types.ObjectId) {
  return { _id, author, status: true, ...HAS_AUTHOR };
}

function randomEnding(): string {
  return randomBytes(4).toString('hex');
}
