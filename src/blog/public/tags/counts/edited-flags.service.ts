import { Injectable, Logger } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { CacheCoherenceService } from '../../../../platform/caching/cache-coherence.service.js';
import { EDITED_FLAGS } from '../../../core/blog.cache.js';
import { Blog } from '../../../core/blog.schema.js';
import { TagCounts } from './tag-counts.service.js';

/**
 * Counts the tags of a blog again when an operator has hidden or shown the blog by editing its flags
 * in the database, because no transition counts them then. Each process that receives the change
 * from the change stream counts them.
 */
@Injectable()
export class EditedFlags {
  private readonly logger = new Logger(EditedFlags.name);

  constructor(
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
    private readonly tags: TagCounts,
    coherence: CacheCoherenceService,
  ) {
    coherence.onChange([EDITED_FLAGS], ({ id }) => {
      // An event without an id means that the change stream was opened again; it names no blog.
      if (id !== null) void this.count(id);
    });
  }

  /** Counts the tags of one blog. The promise never rejects. */
  private async count(id: string): Promise<void> {
    try {
      const blog = await this.blogs.findById(id, { 'live.tagKeys': 1 }).lean<Blog | null>();
      await this.tags.count(blog?.live?.tagKeys ?? []);
    } catch (error) {
      this.logger.warn(`the tags of a blog that was edited were not counted: ${String(error)}`);
    }
  }
}
