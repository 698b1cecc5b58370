import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Types, type Model } from 'mongoose';
import {
  toNewWorkingCopy,
  type NewBlogBody,
  type WorkingCopyChanges,
} from '../core/blog-fields.js';
import { UpdateBlogDto, UpdateNamedBlogDto } from '../core/dto/update-blog.dto.js';
import { EditBodyService } from '../core/transitions/edit-body.service.js';
import { BlogTransitionService } from '../core/transitions/blog-transition.service.js';
import { BlogStore, newBlog } from '../core/blog-store.js';
import { BlogNotFoundError, SlugTakenError } from '../core/blog.errors.js';
import type { BlogFlags } from '../core/blog.state.js';
import type { TransitionDetails, TransitionedBlog } from '../core/transitions/transition.js';
import type { TransitionName } from '../core/transitions/transition-table.js';
import { EditorialBlogService } from '../core/lists/editorial-blog.service.js';
import { EditorialListService } from '../core/lists/editorial-list.service.js';
import { BlogHistoryService } from '../history/blog-history.service.js';
import type { CleanHtml } from '../core/html/clean-html.js';
import { HtmlCleaner } from '../core/html/html-cleaner.js';
import { SubmittedPictures } from '../media/use/submitted-pictures.service.js';
import { PictureAddresses } from '../media/serving/picture-addresses.service.js';
import { EDITORIAL_INDEXES, LAST_CHANGED_FIRST } from '../core/blog.indexes.js';
import { Blog, IN_TRASH, NOT_REMOVED, ownBlogs } from '../core/blog.schema.js';
import { peopleOf, type EditorialItemView } from '../core/views/editorial-item.view.js';
import type { HistoryItemView } from '../core/views/history-item.view.js';
import { toAuthorBlogView, type EditorialBlogView } from '../core/views/editorial-blog.view.js';
import { Clock } from '../../platform/clock.js';
import type { IfMatch } from '../../platform/http/conditional/if-match.js';
import { Revisioned } from '../../platform/http/conditional/revisioned.js';
import { PageQuery } from '../../platform/http/pagination/page-query.dto.js';
import { isDuplicateKey } from '../../platform/database/is-duplicate-key.js';
import type { FieldWarning } from '../../platform/http/envelope/envelope.js';
import type { Creation } from '../../platform/idempotency/creation.js';
import { Idempotency } from '../../platform/idempotency/idempotency.service.js';
import { AccountDeletedError } from '../../user/user.errors.js';
import { UserService } from '../../user/user.service.js';
import type { AuthorCountsView } from './author-counts.view.js';

type EditRequest = Parameters<BlogTransitionService['apply']>[1] & {
  readonly changes: WorkingCopyChanges<CleanHtml>;
};

/** The operations of authors on their own blogs. A blog of another author counts as not found. */
@Injectable()
export class BlogAuthorService {
  constructor(
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
    private readonly store: BlogStore,
    private readonly transitions: BlogTransitionService,
    private readonly users: UserService,
    private readonly edits: EditBodyService,
    private readonly html: HtmlCleaner,
    private readonly pictures: PictureAddresses,
    private readonly submittedPictures: SubmittedPictures,
    private readonly clock: Clock,
    private readonly histories: BlogHistoryService,
    private readonly editorial: EditorialBlogService,
    private readonly lists: EditorialListService,
    private readonly idempotency: Idempotency,
  ) {}

  /**
   * Stores a new draft. Without a slug in the body, the blog gets the first free slug that is made
   * from its title.
   *
   * @throws SlugTakenError another blog has the slug
   * @throws what `EditBodyService.newOf` throws
   * @throws AccountDeletedError the author's account was deleted meanwhile; the new blog is removed
   * @throws BlogNotFoundError the request is repeated, and its blog was deleted meanwhile
   */
  async create(
    author: Types.ObjectId,
    given: NewBlogBody,
    creation: Creation | null = null,
  ): Promise<Revisioned<EditorialBlogView>> {
    const { body, warnings, ...texts } = await this.edits.newOf(author, given);
    const { slug, tags = [], ...others } = body;
    const copy = toNewWorkingCopy({ ...others, ...texts, tags }, this.html.version);
    const isSlugGenerated = slug === undefined;
    const candidates = isSlugGenerated ? this.edits.slugsFor(others.title) : [slug];
    const blog = await this.idempotency.once(creation, {
      records: this.blogs,
      visible: ownBlogs(author),
      insert: async (keyFields) => {
        const stored = await this.insertUnderFreeSlug(candidates, {
          author,
          copy,
          isSlugGenerated,
          creation: keyFields,
        });
        if (!stored) throw new SlugTakenError(candidates[0] ?? '');
        return stored;
      },
      gone: () => new BlogNotFoundError(),
      // A repeated request must not create a blog under the id of a removed one: the events of the
      // new blog would count as events of the removed blog.
      wasRemoved: ({ _id }) => this.histories.hasFirstEvent(_id),
    });
    await this.removeIfAuthorDeleted(blog);
    return this.revisioned(blog, warnings);
  }

  /**
   * Changes the given fields of a blog. If none is given, only checks that the blog can be edited.
   *
   * @param details who wrote what is restored
   * @param readStored reads the stored fields that the body may repeat
   * @throws what `EditBodyService.editOf` and `BlogTransitionService.apply` throw
   */
  async update(
    author: Types.ObjectId,
    id: Types.ObjectId,
    dto: UpdateBlogDto,
    ifMatch: IfMatch,
    details: TransitionDetails = {},
    readStored = () => this.edits.storedFields({ _id: id, ...ownBlogs(author) }),
  ): Promise<Revisioned<EditorialBlogView>> {
    const { changes, warnings } = await this.edits.editOf({ account: author, id }, dto, readStored);
    const request = { id, actor: author, owner: author, ifMatch, changes, details };
    if (Object.keys(changes).length > 0) {
      return this.revisioned(await this.edit(request), warnings);
    }
    await this.transitions.check('edit', request);
    return this.get(author, id);
  }

  /** Makes an edit. If the slug follows the title, it becomes the first free one made from the new title. */
  private async edit(request: EditRequest): Promise<TransitionedBlog> {
    const { changes, details } = request;
    const { title, slug: given } = changes;
    if (title === undefined) return this.transitions.apply('edit', request);
    const candidates = this.edits.slugsFor(title);
    for (const generatedSlug of candidates) {
      try {
        return await this.transitions.apply('edit', {
          ...request,
          details: { ...details, generatedSlug },
        });
      } catch (error) {
        if (!(error instanceof SlugTakenError) || error.slug === given) throw error;
      }
    }
    throw new SlugTakenError(candidates[0] ?? '');
  }

  /** Does what `update` does, for clients of the older server, which name the blog in the body. */
  async updateNamed(
    author: Types.ObjectId,
    dto: UpdateNamedBlogDto,
    ifMatch: IfMatch,
  ): Promise<Revisioned<EditorialBlogView>> {
    return this.update(author, new Types.ObjectId(dto._id), dto, ifMatch);
  }

  /**
   * Submits the working copy for review.
   *
   * @param note a message to the editors; an empty one counts as none
   * @throws what `BlogTransitionService.apply` throws
   */
  async submit(
    author: Types.ObjectId,
    id: Types.ObjectId,
    note: string | undefined,
    ifMatch: IfMatch,
  ): Promise<Revisioned<EditorialBlogView>> {
    const details = note ? { note } : {};
    const request = { id, actor: author, owner: author, ifMatch, details };
    const blog = await this.transitions.apply('submit', request);
    return this.revisioned(blog, await this.submittedPictures.share(blog));
  }

  /**
   * Withdraws a blog, discards its edits, or restores it from the trash.
   *
   * @param changes the slug of the restored blog; only for `undelete`
   * @throws what `BlogTransitionService.apply` throws
   */
  async apply(
    name: Extract<TransitionName, 'withdraw' | 'discard' | 'undelete'>,
    author: Types.ObjectId,
    id: Types.ObjectId,
    ifMatch: IfMatch,
    changes: { readonly slug?: string } = {},
  ): Promise<Revisioned<EditorialBlogView>> {
    const request = { id, actor: author, owner: author, ifMatch, changes };
    return this.revisioned(await this.transitions.apply(name, request));
  }

  /** @throws what `BlogTransitionService.apply` throws */
  async remove(author: Types.ObjectId, id: Types.ObjectId, ifMatch: IfMatch): Promise<void> {
    await this.transitions.apply('delete', { id, actor: author, owner: author, ifMatch });
  }

  /** @throws BlogNotFoundError also for a blog of another author */
  async get(author: Types.ObjectId, id: Types.ObjectId): Promise<Revisioned<EditorialBlogView>> {
    return this.revisioned(await this.editorial.find({ _id: id, ...ownBlogs(author) }));
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
    return this.histories.read({ _id: id, ...ownBlogs(author) }, page);
  }

  /** How many blogs each of the author's lists has. */
  async counts(author: Types.ObjectId): Promise<AuthorCountsView> {
    const [drafts, submitted, published, trash] = await Promise.all([
      this.lists.count({ author, drafted: true }),
      this.lists.count({ author, submitted: true }),
      this.lists.count({ author, published: true }),
      this.lists.count({ author, trashedAt: IN_TRASH.trashedAt }),
    ]);
    return { drafts, submitted, published, trash };
  }

  /** A page of the author's blogs that have this flag, the last changed first. */
  async list(
    author: Types.ObjectId,
    flag: keyof BlogFlags,
    page: PageQuery,
  ): Promise<EditorialItemView[]> {
    return this.lists.page(
      {
        filter: { author, [flag]: true },
        sort: LAST_CHANGED_FIRST,
        index: EDITORIAL_INDEXES[flag],
        versionOf: (blog) => blog,
      },
      page,
    );
  }

  /**
   * Stores a blog under the first slug that is free.
   *
   * @returns null when no slug is free
   */
  private async insertUnderFreeSlug(
    slugs: Iterable<string>,
    others: Omit<Parameters<typeof newBlog>[0], 'slug' | 'now'>,
  ): Promise<Blog | null> {
    const now = this.clock.now();
    for (const slug of slugs) {
      const blog = newBlog({ ...others, slug, now });
      if (await this.insert(blog)) return blog;
    }
    return null;
  }

  /**
   * @returns false when another blog has the slug: in its live version, in its working copy or as a
   *   former slug
   */
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
   * Removes a new blog if its author's account was deleted meanwhile. FormerAuthorService removes
   * the drafts of a deleted account, but it may have run before this blog was stored. A repeated
   * request may find a blog that has changed since its creation (`rev` > 1): that blog stays.
   *
   * @throws AccountDeletedError if the account was deleted, whether or not the blog stays
   */
  private async removeIfAuthorDeleted({ _id, author }: Blog): Promise<void> {
    if (await this.users.exists(author)) return;
    const removal = { by: author, at: this.clock.now() };
    await this.store.remove('delete', { _id, rev: 1, ...NOT_REMOVED }, removal);
    throw new AccountDeletedError();
  }

  private async revisioned(
    blog: TransitionedBlog,
    warnings: readonly FieldWarning[] = [],
  ): Promise<Revisioned<EditorialBlogView>> {
    const names = await this.users.namesOf(peopleOf(blog));
    const texts = this.pictures.unpublishedTexts(await this.html.servedTexts(blog));
    const all = [...warnings, ...(blog.warnings ?? [])];
    const view = toAuthorBlogView(blog, texts, names, this.pictures.signedLinks());
    return new Revisioned(view, blog.rev, all);
  }
}
