import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Types, type Model } from 'mongoose';
import {
  BLOG_FIELDS,
  toNewWorkingCopy,
  toWorkingCopy,
  type NewBlogBody,
} from '../blog/blog-fields.js';
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
import { toEditorialBlogView, type EditorialBlogView } from '../blog/views/editorial-blog.view.js';
import { Clock } from '../common/clock.js';
import type { IfMatch } from '../common/http/conditional/if-match.js';
import { Revisioned } from '../common/http/conditional/revisioned.js';
import { skipOf, type PageQuery } from '../common/pagination/page-query.dto.js';
import { hasLength } from '../common/validation/text-length.js';
import { BY_ID } from '../database/query-hints.js';
import { isDuplicateKey } from '../database/is-duplicate-key.js';
import { AccountDeletedError } from '../user/user.errors.js';
import { UserService } from '../user/user.service.js';
import { DraftTextError, ForeignIdError } from './blog-author.errors.js';
import { UpdateBlogDto, UpdateNamedBlogDto } from './dto/update-blog.dto.js';

/** The operations of authors on their own blogs. A blog of another author counts as not found. */
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
   * Stores a new draft. Without a slug in the body, the blog gets the first free one made of its title.
   *
   * @throws SlugTakenError another blog has the slug
   * @throws AccountDeletedError the author's account was deleted meanwhile; no blog is left behind
   * @throws DraftTextError the cleaned text is empty or too long
   * @throws UnavailableError too many texts are being cleaned
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
      await this.removeIfAuthorDeleted(blog);
      return this.revisioned(blog);
    }
    throw new SlugTakenError(wanted);
  }

  /**
   * Changes the given fields of a blog. Without any field it only checks that the blog can be edited.
   *
   * @throws ForeignIdError the body names another blog
   * @throws DraftTextError the cleaned text is empty or too long
   * @throws UnavailableError too many texts are being cleaned
   * @throws what `BlogMoveService.move` throws
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

  /** As `update`, for clients of the older server, which name the blog in the body. */
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

  /** @throws BlogNotFoundError also for a blog of another author */
  async get(author: Types.ObjectId, id: Types.ObjectId): Promise<Revisioned<EditorialBlogView>> {
    const blog = await this.blogs.findOne(ownBlog(author, id), null, BY_ID).lean<Blog | null>();
    if (!blog) throw new BlogNotFoundError();
    return this.revisioned(blog);
  }

  /**
   * A page of the events of one of the author's blogs, newest first.
   *
   * @throws BlogNotFoundError also for a blog of another author
   */
  async history(
    author: Types.ObjectId,
    id: Types.ObjectId,
    page: PageQuery,
  ): Promise<HistoryItemView[]> {
    return this.histories.read(ownBlog(author, id), page);
  }

  /** A page of the author's blogs that have this flag, the last changed first. */
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

  /** @throws DraftTextError the cleaned text is empty or too long; @throws UnavailableError */
  private async clean(draftText: string): Promise<CleanHtml> {
    const cleaned = await this.html.clean(draftText);
    if (!hasLength(cleaned, BLOG_FIELDS.draftText.cleaned)) throw new DraftTextError();
    return cleaned;
  }

  /** @returns false when another blog has the slug, published or in its working copy */
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
   * Removes a new blog if its author's account was deleted meanwhile. FormerAuthorService removes the
   * drafts of a deleted account, but it may have run before this blog was stored.
   *
   * @throws AccountDeletedError after the removal
   */
  private async removeIfAuthorDeleted({ _id, author }: Blog): Promise<void> {
    if (await this.users.exists(author)) return;
    const removal = { by: author, at: this.clock.now() };
    await this.store.remove('delete', { _id, ...NOT_REMOVED }, removal);
    throw new AccountDeletedError();
  }

  private async revisioned(blog: Blog): Promise<Revisioned<EditorialBlogView>> {
    const names = await this.users.namesOf([blog.author]);
    const texts = await this.html.servedTexts(blog);
    return new Revisioned(toEditorialBlogView(blog, blog, texts, names), blog.rev);
  }
}

/** The filter for a blog that its author may read. */
function ownBlog(author: Types.ObjectId, _id: Types.ObjectId) {
  return { _id, author, status: true, ...HAS_AUTHOR };
}

function randomEnding(): string {
  return randomBytes(4).toString('hex');
}
