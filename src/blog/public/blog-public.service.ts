import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter, Types } from 'mongoose';
import { BlogMovedError, BlogNotFoundError } from '../core/blog.errors.js';
import { SLUG_INDEX } from '../core/blog.indexes.js';
import { Blog, IS_LIVE, IS_PUBLIC } from '../core/blog.schema.js';
import { HtmlCleaner } from '../core/html/html-cleaner.js';
import { storedSlugs } from '../core/text/slug.js';
import type { ListingItemSource } from '../core/views/listing-item.view.js';
import {
  PUBLIC_BLOG_FIELDS,
  toPublicBlogView,
  type PublicBlogView,
} from '../core/views/public-blog.view.js';
import { CacheCoherenceService } from '../../platform/caching/cache-coherence.service.js';
import { BY_ID, withHint, type IndexKeys } from '../../platform/database/query-hints.js';
import { UserService } from '../../user/user.service.js';
import { PictureAddresses } from '../media/serving/picture-addresses.service.js';
import { BatchedReads } from './reads/batched-reads.js';
import { modelFor, type PublicReadOptions } from '../../platform/caching/causal-read-barrier.js';

/**
 * Largest number of articles in one query: 64 texts of 100,000 characters are 6 MB, not counting the
 * ids that cleaning adds.
 */
const MAX_BATCH_SIZE = 64;

type BlogSource = ListingItemSource & Pick<Blog, 'formerSlugs'>;

/** How blogs are found by one kind of key. */
interface Lookup {
  readonly filterOf: (keys: readonly string[]) => QueryFilter<Blog>;
  readonly index: IndexKeys;
  readonly keyOf: (blog: BlogSource) => string;
  /** The keys that the blog had before, such as former slugs. They still lead to the blog. */
  readonly formerKeysOf: (blog: BlogSource) => readonly string[];
}

const BY_BLOG_ID: Lookup = {
  filterOf: (ids) => ({ _id: { $in: ids }, ...IS_LIVE }),
  index: BY_ID.hint,
  keyOf: ({ _id }) => _id.toHexString(),
  formerKeysOf: () => [],
};

const BY_SLUG: Lookup = {
  // The index is on `slugs`, which also holds the slug of the working copy. A blog that is found by
  // an unpublished slug is not returned under that slug: its keys are only its live and former
  // slugs.
  filterOf: (slugs) => ({ slugs: { $in: slugs }, 'live.slug': { $gt: '' }, ...IS_PUBLIC }),
  index: SLUG_INDEX,
  keyOf: ({ live }) => live.slug,
  formerKeysOf: ({ formerSlugs = [] }) => formerSlugs,
};

type BlogReads = BatchedReads<string, BlogSource[], PublicBlogView>;

/** Reads single articles, for any holder of an API key. It returns live versions only. */
@Injectable()
export class BlogPublicService {
  private readonly byId: BlogReads;
  private readonly bySlug: BlogReads;

  constructor(
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
    private readonly users: UserService,
    private readonly html: HtmlCleaner,
    private readonly pictures: PictureAddresses,
    coherence: CacheCoherenceService,
  ) {
    const readsBy = (lookup: Lookup): BlogReads =>
      new BatchedReads({
        maxSize: MAX_BATCH_SIZE,
        query: (keys) => coherence.publicRead((options) => this.find(lookup, keys, options)),
        valuesOf: async (blogs, keys) => {
          const views = await this.viewsOf(blogs, lookup);
          return keys.map((key) => views.get(key) ?? new BlogNotFoundError());
        },
      });
    this.byId = readsBy(BY_BLOG_ID);
    this.bySlug = readsBy(BY_SLUG);
  }

  /** @throws BlogNotFoundError for an unknown, deleted or unpublished blog */
  async getById(id: Types.ObjectId): Promise<PublicBlogView> {
    const key = id.toHexString();
    return this.byId.get(key, key);
  }

  /**
   * @param raw a slug as it stands in a path
   * @throws BlogNotFoundError
   * @throws BlogMovedError for a former slug
   */
  async getBySlug(raw: string): Promise<PublicBlogView> {
    for (const slug of storedSlugs(raw)) {
      try {
        return await this.bySlug.get(slug, slug);
      } catch (error) {
        if (!(error instanceof BlogNotFoundError)) throw error;
      }
    }
    throw new BlogNotFoundError();
  }

  private find(
    { filterOf, index }: Lookup,
    keys: readonly string[],
    options: PublicReadOptions,
  ): Promise<BlogSource[]> {
    return withHint(index, (hint) =>
      modelFor(this.blogs, options)
        .find(filterOf(keys))
        .select([...PUBLIC_BLOG_FIELDS, 'formerSlugs'])
        .setOptions({ ...options, ...hint })
        .lean<BlogSource[]>(),
    );
  }

  /** @returns the views by key; an Error for a text that could not be cleaned, and for a former key */
  private async viewsOf(
    blogs: readonly BlogSource[],
    { keyOf, formerKeysOf }: Lookup,
  ): Promise<ReadonlyMap<string, PublicBlogView | Error>> {
    const names = await this.users.namesOf(blogs.map(({ author }) => author));
    const views = blogs.map(async (blog) => [keyOf(blog), await this.viewOf(blog, names)] as const);
    const moved = blogs.flatMap((blog) =>
      formerKeysOf(blog).map((key) => [key, new BlogMovedError(blog.live.slug)] as const),
    );
    return new Map([...moved, ...(await Promise.all(views))]);
  }

  /** Returns the error of a text that cannot be cleaned, so that other articles do not fail with it. */
  private async viewOf(
    blog: ListingItemSource,
    names: ReadonlyMap<string, string>,
  ): Promise<PublicBlogView | Error> {
    try {
      const text = this.pictures.published(await this.html.servedText(blog));
      return toPublicBlogView(blog, text, names, this.pictures.publicLinks);
    } catch (error) {
      if (error instanceof Error) return error;
      throw error;
    }
  }
}
