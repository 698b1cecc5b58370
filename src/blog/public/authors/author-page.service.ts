import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { BLOG } from '../../core/blog.cache.js';
import { CacheCoherenceService } from '../../../platform/caching/cache-coherence.service.js';
import { isHttpUrl } from '../../../platform/http/validation/http-url.js';
import { USER } from '../../../user/schemas/user.cache.js';
import { UserService } from '../../../user/user.service.js';
import { AuthorNotFoundError } from '../blog-public.errors.js';
import { ListCounts } from '../counts/list-counts.service.js';
import { LIST_CORRECTIONS } from '../counts/list-corrections.cache.js';
import { authorList } from '../counts/list-names.js';
import { listOf, pageOf } from '../lists/blog-list.js';
import { ListQueries } from '../lists/list-queries.js';
import { PublicReads } from '../reads/public-reads.js';
import type { PublicReadOptions } from '../../../platform/caching/causal-read-barrier.js';
import type { AuthorPageView } from './author-page.view.js';

/** Figures of an author's page that are computed from the live blogs. */
type Figures = Pick<AuthorPageView, 'blogs' | 'firstPublishedAt' | 'lastPublishedAt'>;

const FIRST_ITEM = { page: 1, limit: 1 } as const;

/** Reads the pages of authors with live blogs, for any holder of an API key. */
@Injectable()
export class AuthorPageService {
  private readonly reads: PublicReads<Types.ObjectId, (Figures | null)[], AuthorPageView>;

  constructor(
    private readonly queries: ListQueries,
    private readonly counts: ListCounts,
    private readonly users: UserService,
    coherence: CacheCoherenceService,
  ) {
    this.reads = new PublicReads(coherence, {
      dependsOn: [BLOG, LIST_CORRECTIONS, USER],
      nameOf: (id) => id.toHexString(),
      scheduleOf: () => 'alone',
      query: (ids, options) => Promise.all(ids.map((id) => this.figuresOf(id, options))),
      valuesOf: (found, ids) =>
        Promise.all(ids.map((id, index) => this.viewOf(id, found[index] ?? null))),
    });
  }

  /** @throws AuthorNotFoundError if the author has no live blog, or the account is deleted */
  async get(id: Types.ObjectId): Promise<AuthorPageView> {
    return this.reads.get(id);
  }

  private async figuresOf(
    author: Types.ObjectId,
    options: PublicReadOptions,
  ): Promise<Figures | null> {
    const newestFirst = listOf({ author });
    const firstPages = [newestFirst, listOf({ author, order: 'oldest' })].map((list) =>
      pageOf(list, FIRST_ITEM),
    );
    // The queries run one after the other: two commands of one session must not run at the same
    // time.
    const [[newest] = []] = await this.queries.find(firstPages.slice(0, 1), options);
    const [[oldest] = []] = await this.queries.find(firstPages.slice(1), options);
    if (!oldest || !newest) return null;
    const { count } = await this.counts.read(authorList(author), options);
    return { blogs: count, firstPublishedAt: oldest.live.at, lastPublishedAt: newest.live.at };
  }

  private async viewOf(
    id: Types.ObjectId,
    figures: Figures | null,
  ): Promise<AuthorPageView | Error> {
    const user = figures && (await this.users.findView(id));
    if (!figures || !user) return new AuthorNotFoundError();
    const { _id, name, profilePicUrl, picture } = user;
    return {
      _id,
      name,
      ...(isHttpUrl(profilePicUrl) ? { profilePicUrl } : {}),
      ...(picture ? { picture } : {}),
      ...figures,
    };
  }
}
