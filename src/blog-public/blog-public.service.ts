import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter, Types } from 'mongoose';
import { BLOG } from '../blog/blog.cache.js';
import { BlogNotFoundError } from '../blog/blog.errors.js';
import { Blog, IS_LIVE, IS_PUBLIC, SLUG_INDEX } from '../blog/blog.schema.js';
import { HtmlCleaner } from '../blog/html/html-cleaner.js';
import { isUsableSlug } from '../blog/text/slug.js';
import {
  PUBLIC_BLOG_FIELDS,
  toPublicBlogView,
  type PublicBlogSource,
  type PublicBlogView,
} from '../blog/views/public-blog.view.js';
import { CacheCoherenceService } from '../cache/cache-coherence.service.js';
import { BY_ID } from '../database/by-id.js';
import { withHint, type IndexKeys } from '../database/with-hint.js';
import { USER_NAME } from '../user/schemas/user.cache.js';
import { UserService } from '../user/user.service.js';
import { BatchScheduler } from './reads/batch-scheduler.js';
import { PublicReads, type RunQuery } from './reads/public-reads.js';

/** Articles of one query at most: 64 of the longest ones are 6 MB. */
const MAX_BATCH_SIZE = 64;

/** How blogs are found by one kind of key. */
interface Lookup {
  readonly filterOf: (keys: readonly string[]) => QueryFilter<Blog>;
  readonly index: IndexKeys;
  readonly keyOf: (blog: PublicBlogSource) => string;
}

const BY_BLOG_ID: Lookup = {
  filterOf: (ids) => ({ _id: { $in: ids }, ...IS_LIVE }),
  index: BY_ID.hint,
  keyOf: ({ _id }) => _id.toHexString(),
};

const BY_SLUG: Lookup = {
  // `slugs` has the index. It holds the working slug as well, by which readers must not find a blog.
  filterOf: (slugs) => ({ slugs: { $in: slugs }, 'live.slug': { $in: slugs }, ...IS_PUBLIC }),
  index: SLUG_INDEX,
  keyOf: ({ live }) => live.slug,
};

/** Single articles as any holder of an API key reads them: live versions and nothing else. */
@Injectable()
export class BlogPublicService {
  private readonly byId: PublicReads<string, PublicBlogView | null>;
  private readonly bySlug: PublicReads<string, PublicBlogView | null>;

  constructor(
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
    private readonly users: UserService,
    private readonly html: HtmlCleaner,
    coherence: CacheCoherenceService,
  ) {
    const scheduler = new BatchScheduler();
    const readsBy = (lookup: Lookup): PublicReads<string, PublicBlogView | null> =>
      new PublicReads(coherence, {
        dependsOn: [BLOG, USER_NAME],
        batches: { scheduler, maxSize: MAX_BATCH_SIZE },
        scheduleOf: () => 'batched',
        read: (keys, runQuery) => this.read(lookup, keys, runQuery),
      });
    this.byId = readsBy(BY_BLOG_ID);
    this.bySlug = readsBy(BY_SLUG);
  }

  /** @throws BlogNotFoundError unknown, deleted or unpublished */
  async getById(id: Types.ObjectId): Promise<PublicBlogView> {
    const key = id.toHexString();
    return found(await this.byId.get(key, key));
  }

  /** @param slug in its normal form @throws BlogNotFoundError */
  async getBySlug(slug: string): Promise<PublicBlogView> {
    // The index has no entry for ''.
    if (!isUsableSlug(slug)) throw new BlogNotFoundError();
    return found(await this.bySlug.get(slug, slug));
  }

  /**
   * @returns one view per key, in their order; null where there is no live blog, an error where its
   * text could not be cleaned
   */
  private async read(
    { filterOf, index, keyOf }: Lookup,
    keys: readonly string[],
    runQuery: RunQuery,
  ): Promise<(PublicBlogView | Error | null)[]> {
    const blogs = await runQuery((options) =>
      withHint(index, (hint) =>
        this.blogs
          .find(filterOf(keys))
          .select(PUBLIC_BLOG_FIELDS)
          .setOptions({ ...options, ...hint })
          .lean<PublicBlogSource[]>(),
      ),
    );
    const names = await this.users.namesOf(blogs.map(({ author }) => author));
    const views = new Map(
      await Promise.all(
        blogs.map(async (blog) => [keyOf(blog), await this.viewOf(blog, names)] as const),
      ),
    );
    return keys.map((key) => views.get(key) ?? null);
  }

  /** Catches the error of a text that cannot be cleaned now: the other articles must not fail by it. */
  private async viewOf(
    blog: PublicBlogSource,
    names: ReadonlyMap<string, string>,
  ): Promise<PublicBlogView | Error> {
    try {
      return toPublicBlogView(blog, await this.html.servedText(blog), names);
    } catch (error) {
      if (error instanceof Error) return error;
      throw error;
    }
  }
}

function found(view: PublicBlogView | null): PublicBlogView {
  if (!view) throw new BlogNotFoundError();
  return view;
}
