import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter, Types } from 'mongoose';
import { BlogNotFoundError } from '../blog/blog.errors.js';
import { Blog, IS_LIVE } from '../blog/schemas/blog.schema.js';
import {
  LISTING_ITEM_FIELDS,
  toListingItemView,
  type ListingItemSource,
  type ListingItemView,
} from '../blog/views/listing-item.view.js';
import {
  PUBLIC_BLOG_FIELDS,
  toPublicBlogView,
  type PublicBlogSource,
  type PublicBlogView,
} from '../blog/views/public-blog.view.js';
import { skipOf, type PageQuery } from '../common/pagination/page-query.dto.js';
import { UserService } from '../user/user.service.js';
import { similarPipeline, type SimilarSource } from './similar.pipeline.js';

const NEWEST_FIRST = { 'live.at': -1, _id: -1 } as const;

/** What any holder of an API key reads: live versions and nothing else. */
@Injectable()
export class BlogPublicService {
  constructor(
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
    private readonly users: UserService,
  ) {}

  /** @throws BlogNotFoundError unknown, deleted or unpublished */
  async getById(id: Types.ObjectId): Promise<PublicBlogView> {
    return this.getOne({ _id: id, ...IS_LIVE });
  }

  /** @param slug in its normal form @throws BlogNotFoundError */
  async getBySlug(slug: string): Promise<PublicBlogView> {
    return this.getOne({ slugs: slug, 'live.slug': slug, ...IS_LIVE });
  }

  async latest(page: Pick<PageQuery, 'page' | 'limit'>): Promise<ListingItemView[]> {
    return this.list(IS_LIVE, page);
  }

  /** @param key the tag as it is matched */
  async byTag(key: string, page: PageQuery): Promise<ListingItemView[]> {
    return this.list({ 'live.tagKeys': key, ...IS_LIVE }, page);
  }

  /** @returns at most six, best first @throws BlogNotFoundError */
  async similar(id: Types.ObjectId): Promise<ListingItemView[]> {
    const blog = await this.blogs
      .findOne({ _id: id, ...IS_LIVE })
      .select(['live.tagKeys', 'live.titleWords', 'live.descriptionWords'])
      .lean<{ live: SimilarSource } | null>();
    if (!blog) throw new BlogNotFoundError();
    const pipeline = similarPipeline(id, blog.live);
    if (!pipeline) return [];
    return (await this.blogs.aggregate<ListingItemSource>(pipeline)).map(toListingItemView);
  }

  private async getOne(filter: QueryFilter<Blog>): Promise<PublicBlogView> {
    const blog = await this.blogs
      .findOne(filter)
      .select(PUBLIC_BLOG_FIELDS)
      .lean<PublicBlogSource | null>();
    if (!blog) throw new BlogNotFoundError();
    return toPublicBlogView(blog, await this.users.namesOf([blog.author]));
  }

  private async list(
    filter: QueryFilter<Blog>,
    page: Pick<PageQuery, 'page' | 'limit'>,
  ): Promise<ListingItemView[]> {
    const blogs = await this.blogs
      .find(filter)
      .sort(NEWEST_FIRST)
      .skip(skipOf(page))
      .limit(page.limit)
      .select(LISTING_ITEM_FIELDS)
      .lean<ListingItemSource[]>();
    return blogs.map(toListingItemView);
  }
}
