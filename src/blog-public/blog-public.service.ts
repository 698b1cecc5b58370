import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import DataLoader from 'dataloader';
import type { Model, QueryFilter, Types } from 'mongoose';
import { BLOG } from '../blog/blog.cache.js';
import { BlogNotFoundError } from '../blog/blog.errors.js';
import { HtmlCleaner } from '../blog/html/html-cleaner.js';
import { Blog, IS_LIVE, IS_PUBLIC, SLUG_INDEX } from '../blog/blog.schema.js';
import { isUsableSlug } from '../blog/text/slug.js';
import {
  PUBLIC_BLOG_FIELDS,
  toPublicBlogView,
  type PublicBlogSource,
  type PublicBlogView,
} from '../blog/views/public-blog.view.js';
import { BY_ID } from '../database/by-id.js';
import { withHint, type IndexKeys } from '../database/with-hint.js';
import { CacheCoherenceService } from '../cache/cache-coherence.service.js';
import { SingleFlight } from '../cache/single-flight.js';
import { USER_NAME } from '../user/schemas/user.cache.js';
import { UserService } from '../user/user.service.js';
import { BatchScheduler } from './batch-scheduler.js';
import { PUBLIC_READ } from './public-read.js';

/** Articles of one query at most: so many of the longest would be 6 MB. */
const MAX_BATCH_SIZE = 64;

/** Single articles as any holder of an API key reads them: live versions and nothing else. */
@Injectable()
export class BlogPublicService {
  private readonly flights: SingleFlight<PublicBlogView | null>;
  private readonly gathering = new BatchScheduler(MAX_BATCH_SIZE);
  private readonly byId = new DataLoader<string, PublicBlogView | null>(
    (ids) =>
      this.load({ _id: { $in: ids }, ...IS_LIVE }, BY_ID.hint, ids, (blog) =>
        blog._id.toHexString(),
      ),
    this.gathering.options,
  );
  private readonly bySlug = new DataLoader<string, PublicBlogView | null>(
    // The working slug of a live blog leads to no one.
    (slugs) =>
      this.load(
        { slugs: { $in: slugs }, 'live.slug': { $in: slugs }, ...IS_PUBLIC },
        SLUG_INDEX,
        slugs,
        (blog) => blog.live.slug,
      ),
    this.gathering.options,
  );

  constructor(
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
    private readonly users: UserService,
    private readonly html: HtmlCleaner,
    private readonly coherence: CacheCoherenceService,
  ) {
    this.flights = new SingleFlight(coherence, [BLOG, USER_NAME]);
  }

  /** @throws BlogNotFoundError unknown, deleted or unpublished */
  async getById(id: Types.ObjectId): Promise<PublicBlogView> {
    const key = id.toHexString();
    return found(await this.flights.join(`id ${key}`, () => this.byId.load(key)));
  }

  /** @param slug in its normal form @throws BlogNotFoundError */
  async getBySlug(slug: string): Promise<PublicBlogView> {
    // '' is in no index.
    if (!isUsableSlug(slug)) throw new BlogNotFoundError();
    return found(await this.flights.join(`slug ${slug}`, () => this.bySlug.load(slug)));
  }

  /**
   * @returns one view per key, in their order; null where there is no live blog, an error where its
   * text could not be cleaned
   */
  private async load(
    filter: QueryFilter<Blog>,
    index: IndexKeys,
    keys: readonly string[],
    keyOf: (blog: PublicBlogSource) => string,
  ): Promise<(PublicBlogView | Error | null)[]> {
    const blogs = await this.gathering.run(() =>
      this.coherence.read((options) =>
        withHint(index, (hint) =>
          this.blogs
            .find(filter)
            .select(PUBLIC_BLOG_FIELDS)
            .setOptions({ ...options, ...PUBLIC_READ, ...hint })
            .lean<PublicBlogSource[]>(),
        ),
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

  /** One text that cannot be cleaned now must not fail those of others. */
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
