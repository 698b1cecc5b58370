import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection, mongo, Types } from 'mongoose';
import { batchesOf } from '../../platform/batches.js';
import { BACKGROUND } from '../../platform/database/client-options.js';
import { EDITORIAL_INDEXES } from '../core/blog.indexes.js';
import type { Blog, BlogFilter } from '../core/blog.schema.js';

/** Number of blogs that a job changes with one command. */
export const BATCH = 200;

/** The pause after a batch, as a part of the time that the batch took, in which readers have the database. */
const PAUSE = 0.2;

/** Walks through all blogs of an author, however many there are. */
@Injectable()
export class AuthorBlogs {
  constructor(@InjectConnection(BACKGROUND) private readonly connection: Connection) {}

  /**
   * Calls `work` with batches of the blogs that the filter matches, until it matches none: a blog may move in the
   * index while it is read. So `work` has to change each blog in such a way that it does not match any more.
   *
   * @param signal checked between batches
   */
  async inBatches(
    author: Types.ObjectId,
    filter: BlogFilter,
    signal: AbortSignal,
    work: (ids: readonly Types.ObjectId[]) => Promise<void>,
  ): Promise<void> {
    for (let isMore = true; isMore;) {
      isMore = false;
      for await (const ids of batchesOf(this.ids({ ...filter, author }), BATCH)) {
        if (signal.aborted) return;
        isMore = true;
        const startedAt = performance.now();
        await work(ids);
        await wait((performance.now() - startedAt) * PAUSE);
      }
    }
  }

  private ids(filter: BlogFilter): AsyncIterable<Types.ObjectId> {
    return this.connection
      .getClient()
      .db(this.connection.name)
      .collection<Blog>('blogs')
      .find(filter as mongo.Filter<Blog>, {
        hint: EDITORIAL_INDEXES.published,
        projection: { _id: 1 },
        readPreference: 'primary',
        batchSize: BATCH,
      })
      .map(({ _id }) => _id);
  }
}
