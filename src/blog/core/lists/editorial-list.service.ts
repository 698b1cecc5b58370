import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { CacheCoherenceService } from '../../../platform/caching/cache-coherence.service.js';
import { runCommand } from '../../../platform/caching/causal-read-barrier.js';
import { skipOf, type PageQuery } from '../../../platform/http/pagination/page-query.dto.js';
import { withHint, type IndexKeys } from '../../../platform/database/query-hints.js';
import { UserService } from '../../../user/user.service.js';
import { Blog } from '../blog.schema.js';
import { BLOG_STATES } from '../blog.state.js';
import { PictureAddresses } from '../../media/serving/picture-addresses.service.js';
import { AccountJobs } from '../../jobs/account-jobs.service.js';
import type { BlogVersion } from '../views/blog.view.js';
import {
  EDITORIAL_ITEM_FIELDS,
  peopleOf,
  toEditorialItemView,
  type EditorialItemView,
} from '../views/editorial-item.view.js';
import type { ListCountView } from './list-count.view.js';

interface EditorialList {
  readonly filter: QueryFilter<Blog>;
  readonly sort: IndexKeys;
  /** The version of a blog that the caller sees. */
  readonly versionOf: (blog: Blog) => BlogVersion;
  readonly index: IndexKeys;
}

const MAX_COUNT = 1_000;

/** Reads the lists of authors and editors. */
@Injectable()
export class EditorialListService {
  constructor(
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
    private readonly users: UserService,
    private readonly pictures: PictureAddresses,
    private readonly coherence: CacheCoherenceService,
    private readonly jobs: AccountJobs,
  ) {}

  /**
   * A page of the list. While the job of a deleted account is open, the lists of editors show its live blogs as the
   * job will leave them, in the list of live blogs alone. A page may be shorter then.
   */
  async page(
    { filter, sort, index, versionOf }: EditorialList,
    page: PageQuery,
  ): Promise<EditorialItemView[]> {
    const blogs = await this.coherence.read((options) =>
      withHint(index, (hint) =>
        this.blogs
          .find(filter, null, { ...hint, ...options })
          .sort(sort)
          .skip(skipOf(page))
          .limit(page.limit)
          .select(EDITORIAL_ITEM_FIELDS)
          .lean<Blog[]>(),
      ),
    );
    const leaving = filter.author === undefined ? await this.jobs.leaving() : [];
    const shown = blogs.flatMap((blog) => {
      if (!leaving.some((author) => author.equals(blog.author))) return [blog];
      return filter.published ? [withoutUnpublished(blog)] : [];
    });
    const names = await this.users.namesOf(shown.flatMap(peopleOf));
    const linksOf = this.pictures.signedLinks();
    return shown.map((blog) => toEditorialItemView(blog, versionOf(blog), names, linksOf));
  }

  /**
   * Counts matching blogs, up to 1,000. One index must contain all fields of the filter, so that MongoDB
   * counts the keys of this index.
   */
  async count(filter: QueryFilter<Blog>): Promise<ListCountView> {
    const command = { count: 'blogs', query: filter, limit: MAX_COUNT + 1 };
    const { n } = await this.coherence.read((options) =>
      runCommand<{ n: number }>(this.blogs.db, command, options),
    );
    return n > MAX_COUNT ? { count: MAX_COUNT, more: true } : { count: n };
  }
}

/** A live blog as the deletion of its author's account leaves it. */
function withoutUnpublished({ assignedTo: _, schedule, ...blog }: Blog): Blog {
  const { unpublish } = schedule ?? {};
  return { ...blog, ...BLOG_STATES.live, ...(unpublish ? { schedule: { unpublish } } : {}) };
}
