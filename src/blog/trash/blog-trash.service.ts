import { Injectable } from '@nestjs/common';
import { PictureAddresses } from '../media/serving/picture-addresses.service.js';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { BlogAuthorService } from '../author/blog-author.service.js';
import { SlugTakenError } from '../core/blog.errors.js';
import { HAS_TRASH_TIME } from '../core/blog.indexes.js';
import { Blog, HAS_AUTHOR } from '../core/blog.schema.js';
import { BlogTransitionService } from '../core/transitions/blog-transition.service.js';
import { BlogPurgeService } from './blog-purge.service.js';
import { isUsableSlug, normalizeSlug, slugCandidates, slugFromTitle } from '../core/text/slug.js';
import { peopleOf } from '../core/views/editorial-item.view.js';
import type { EditorialBlogView } from '../core/views/editorial-blog.view.js';
import { CacheCoherenceService } from '../../platform/caching/cache-coherence.service.js';
import { StaleRevisionError } from '../../platform/http/errors/api.errors.js';
import type { IfMatch } from '../../platform/http/conditional/if-match.js';
import { Revisioned } from '../../platform/http/conditional/revisioned.js';
import { skipOf, type PageQuery } from '../../platform/http/pagination/page-query.dto.js';
import { UserService } from '../../user/user.service.js';
import {
  toTrashItemView,
  TRASH_ITEM_FIELDS,
  type TrashedBlog,
  type TrashItemView,
} from './trash-item.view.js';

/** The operations of authors on the blogs that they have deleted. */
@Injectable()
export class BlogTrashService {
  constructor(
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
    private readonly transitions: BlogTransitionService,
    private readonly purges: BlogPurgeService,
    private readonly authors: BlogAuthorService,
    private readonly pictures: PictureAddresses,
    private readonly users: UserService,
    private readonly coherence: CacheCoherenceService,
  ) {}

  /** A page of the author's trash, the last deleted first. */
  async list(author: Types.ObjectId, page: PageQuery): Promise<TrashItemView[]> {
    const blogs = await this.coherence.read((options) =>
      this.blogs
        // The filter leaves out `status`, which the index lacks: with it, MongoDB would also fetch
        // the records of the skipped pages.
        .find({ author, ...HAS_TRASH_TIME }, null, options)
        .sort({ trashedAt: -1, _id: -1 })
        .skip(skipOf(page))
        .limit(page.limit)
        .select(TRASH_ITEM_FIELDS)
        .lean<TrashedBlog[]>(),
    );
    const names = await this.users.namesOf(blogs.flatMap(peopleOf));
    const linksOf = this.pictures.signedLinks();
    return blogs.map((blog) => toTrashItemView(blog, names, linksOf));
  }

  /**
   * Makes a blog in the trash a draft again. If another blog has got its slug meanwhile, the
   * restored blog gets the slug with an ending. A slug of an earlier version gets its present normal form.
   *
   * @throws BlogNotFoundError the blog is not in this author's trash
   * @throws StaleRevisionError
   * @throws SlugTakenError all the slugs that were tried are taken
   */
  async undelete(
    author: Types.ObjectId,
    id: Types.ObjectId,
    ifMatch: IfMatch,
  ): Promise<Revisioned<EditorialBlogView>> {
    const request = { id, actor: author, owner: author, ifMatch };
    const { slug, title } = await this.transitions.check('undelete', request);
    const normal = normalizeSlug(slug);
    const base = isUsableSlug(normal) ? normal : slugFromTitle(title);
    for (const candidate of slugCandidates(base)) {
      try {
        const changes = { slug: candidate };
        const blog = await this.authors.apply('undelete', author, id, ifMatch, changes);
        if (candidate === slug) return blog;
        const message =
          candidate === base
            ? `slug ${slug} is not in the present normal form: it is ${candidate} now`
            : `another blog has the slug ${base} now: this one got ${candidate}`;
        return new Revisioned(blog.view, blog.rev, [...blog.warnings, { field: 'slug', message }]);
      } catch (error) {
        if (!(error instanceof SlugTakenError)) throw error;
      }
    }
    throw new SlugTakenError(base);
  }

  /**
   * Removes a blog in the trash for good.
   *
   * @throws BlogNotFoundError the blog is not in this author's trash
   * @throws StaleRevisionError
   */
  async purge(author: Types.ObjectId, id: Types.ObjectId, ifMatch: IfMatch): Promise<void> {
    const rev = ifMatch === null ? {} : { rev: { $in: [...ifMatch] } };
    const filter = { _id: id, author, ...HAS_AUTHOR, ...rev };
    if (await this.purges.purge(filter, author)) return;
    // A blog that cannot be purged cannot be restored either: `check` throws the reason.
    await this.transitions.check('undelete', { id, actor: author, owner: author, ifMatch });
    // The blog was restored and deleted again between the attempt to purge it and the check.
    throw new StaleRevisionError();
  }
}
