import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { CacheCoherenceService } from '../../../platform/caching/cache-coherence.service.js';
import { BY_ID } from '../../../platform/database/query-hints.js';
import { BlogNotFoundError } from '../blog.errors.js';
import { Blog, type BlogFilter } from '../blog.schema.js';

/** Reads single blogs for their authors and for editors. */
@Injectable()
export class EditorialBlogService {
  constructor(
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
    private readonly coherence: CacheCoherenceService,
  ) {}

  /**
   * @param filter matches the blog by its id, if the caller may see it
   * @param fields the fields to read in addition to `_id`; if left out, all fields are read
   * @throws BlogNotFoundError when no blog matches
   */
  async find<Field extends keyof Blog = keyof Blog>(
    filter: BlogFilter,
    fields: readonly Field[] = [],
  ): Promise<Pick<Blog, '_id' | Field>> {
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
