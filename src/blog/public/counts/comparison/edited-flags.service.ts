import { Injectable, Logger } from '@nestjs/common';
import { InjectConnection, InjectModel } from '@nestjs/mongoose';
import type { Connection, Model } from 'mongoose';
import { CacheCoherenceService } from '../../../../platform/caching/cache-coherence.service.js';
import { EDITED_FLAGS } from '../../../core/blog.cache.js';
import { Blog } from '../../../core/blog.schema.js';
import { correct, wrongCounts } from './list-comparison.js';
import { LIST_CORRECTIONS } from '../list-corrections.cache.js';
import { ALL_BLOGS, authorList, tagList } from '../list-names.js';

/**
 * Corrects the counts of a blog's lists when an operator has hidden or shown the blog by editing its flags in the
 * database, because no transition counts it then. Each process that receives the change from the change stream
 * compares them, and one of them corrects them.
 */
@Injectable()
export class EditedFlags {
  private readonly logger = new Logger(EditedFlags.name);

  constructor(
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
    @InjectConnection() private readonly connection: Connection,
    private readonly coherence: CacheCoherenceService,
  ) {
    coherence.onChange([EDITED_FLAGS], ({ id }) => {
      // An event without an id means that the change stream was opened again; it names no blog.
      if (id !== null) void this.compare(id);
    });
  }

  /** Compares the counts of one blog's lists. The promise never rejects. */
  private async compare(id: string): Promise<void> {
    try {
      const blog = await this.blogs.findById(id, ['author', 'live.tagKeys']).lean<Blog | null>();
      const { db } = this.connection;
      if (!blog?.live || !db) return;
      const lists = [ALL_BLOGS, authorList(blog.author), ...blog.live.tagKeys.map(tagList)];
      const wrong = await wrongCounts(db, lists);
      if (wrong.length === 0) return;
      await this.coherence.write([LIST_CORRECTIONS.all], (session) => correct(db, wrong, session));
    } catch (error) {
      this.logger.warn(`the lists of a blog that was edited were not counted: ${String(error)}`);
    }
  }
}
