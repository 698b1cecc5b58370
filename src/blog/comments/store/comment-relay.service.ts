import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { BlogActs } from '../../history/blog-acts.service.js';
import { BlogComment, IS_NEW, NEW_INDEX, NOBODY } from './blog-comment.schema.js';

/** Largest number of comments in one batch. */
const BATCH = 100;

/**
 * Tells other features of new comments. A comment keeps its mentions until it was told, so every step may be
 * repeated, also by another process.
 */
@Injectable()
export class CommentRelay {
  constructor(
    @InjectModel(BlogComment.name) private readonly comments: Model<BlogComment>,
    private readonly acts: BlogActs,
  ) {}

  async isDue(): Promise<boolean> {
    return (await this.read(1)).length > 0;
  }

  /** @returns how many comments were told */
  async relay(signal: AbortSignal): Promise<number> {
    let told = 0;
    for (let isMore = true; isMore && !signal.aborted;) {
      const batch = await this.read(BATCH);
      for (const { _id, blog, by, mentions = [] } of batch) {
        const others = await this.comments.distinct('by', { blog, by: { $nin: [by, NOBODY] } });
        const comment = { _id, mentions, others };
        await this.acts.tell([{ id: _id.toHexString(), what: 'comment', blog, by, comment }]);
      }
      const ids = batch.map(({ _id }) => _id);
      await this.comments.updateMany({ _id: { $in: ids } }, { $unset: { mentions: 1 } });
      told += batch.length;
      isMore = batch.length === BATCH;
    }
    return told;
  }

  private async read(limit: number): Promise<BlogComment[]> {
    return this.comments
      .find(IS_NEW)
      .sort(NEW_INDEX)
      .hint(NEW_INDEX)
      .limit(limit)
      .read('primary')
      .readConcern('majority')
      .lean<BlogComment[]>();
  }
}
