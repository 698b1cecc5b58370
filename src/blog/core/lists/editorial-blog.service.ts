import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter, Types } from 'mongoose';
import { CacheCoherenceService } from '../../../platform/caching/cache-coherence.service.js';
import { BY_ID } from '../../../platform/database/query-hints.js';
import { BlogNotFoundError } from '../blog.errors.js';
import { Blog, type BlogFilter } from '../blog.schema.js';
import { FormerAuthorService } from '../../trash/former-author.service.js';

/** Reads single blogs for their authors and for editors. */
@Injectable()
export class EditorialBlogService {
  constructor(
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
    private readonly coherence: CacheCoherenceService,
    private readonly formerAuthors: FormerAuthorService,
  ) {}

  /**
   * @param filter matches the blog by its id, if the caller may see it; names the author if that is the caller
   * @param fields the fields to read in addition to `_id`; if left out, all fields are read
   * @throws BlogNotFoundError when no blog matches
   */
  async find<Field extends keyof Blog = keyof Blog>(
    filter: BlogFilter,
    fields: readonly Field[] = [],
  ): Promise<Pick<Blog, '_id' | Field>> {
    const { _id, author } = filter;
    if (author === undefined) await this.formerAuthors.settle(_id as Types.ObjectId);
    const blog = await this.coherence.read((options) =>
      this.blogs
        .findOne(filter as QueryFilter<Blog>, null, { ...BY_ID, ...options })
        .select([...fields])
        .lean<Pick<Blog, '_id' | Field> | null>(),
    );
    if (!blog) throw new BlogNotFoundError();
    return blog;
  }
}
