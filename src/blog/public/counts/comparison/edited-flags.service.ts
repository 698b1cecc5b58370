import { Injectable, Logger } from '@nestjs/common';
import { InjectConnection, InjectModel } from '@nestjs/mongoose';
import type { Connection, Model } from 'mongoose';
import { CacheCoherenceService } from '../../../../platform/caching/cache-coherence.service.js';
import { EDITED_FLAGS } from '../../../core/blog.cache.js';
import { Blog } from '../../../core/blog.schema.js';
import { batchesOf } from '../../../../platform/batches.js';
import { BATCH as LISTS, correct, wrongCounts } from './list-comparison.js';
import { LIST_CORRECTIONS } from '../list-corrections.cache.js';
import { ALL_BLOGS, authorList, tagList } from '../list-names.js';

/** Largest number of blogs whose lists are found with one query. */
const BATCH = 200;

/**
 * Corrects the counts of a blog's lists when an operator has hidden or shown the blog by editing its flags in the
 * database, because no transition counts it then. Each process that receives the change from the change stream
 * compares them, and one of them corrects them. Blogs that are edited during a comparison are compared together: a
 * comparison reads one index key for each blog of a list, however many of these were edited.
 */
@Injectable()
export class EditedFlags {
  private readonly logger = new Logger(EditedFlags.name);
  private readonly edited = new Set<string>();
  private isComparing = false;

  constructor(
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
    @InjectConnection() private readonly connection: Connection,
    private readonly coherence: CacheCoherenceService,
  ) {
    coherence.onChange([EDITED_FLAGS], ({ id }) => {
      // An event without an id means that the change stream was opened again; it names no blog.
      if (id === null) return;
      this.edited.add(id);
      if (!this.isComparing) void this.compareEdited();
    });
  }

  /** The promise never rejects. */
  private async compareEdited(): Promise<void> {
    this.isComparing = true;
    while (this.edited.size > 0) {
      const ids = [...this.edited].slice(0, BATCH);
      for (const id of ids) this.edited.delete(id);
      try {
        await this.compare(ids);
      } catch (error) {
        this.logger.warn(`the lists of blogs that were edited were not counted: ${String(error)}`);
      }
    }
    this.isComparing = false;
  }

  private async compare(ids: readonly string[]): Promise<void> {
    const blogs = await this.blogs
      .find({ _id: { $in: ids } }, ['author', 'live.tagKeys'])
      .lean<Blog[]>();
    const { db } = this.connection;
    if (!db) return;
    const lists = blogs.flatMap(({ author, live }) =>
      live ? [ALL_BLOGS, authorList(author), ...live.tagKeys.map(tagList)] : [],
    );
    for await (const batch of batchesOf(new Set(lists), LISTS)) {
      const wrong = await wrongCounts(db, batch);
      if (wrong.length === 0) continue;
      await this.coherence.write([LIST_CORRECTIONS.all], (session) => correct(db, wrong, session));
    }
  }
}
