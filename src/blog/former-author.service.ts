import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { ClientSession, Model, Types } from 'mongoose';
import { Clock } from '../common/clock.js';
import { inTransaction } from '../database/transaction-option.js';
import { updateOf } from './blog.state.js';
import { Blog } from './schemas/blog.schema.js';

/** What becomes of the blogs of somebody who leaves. */
@Injectable()
export class FormerAuthorService {
  constructor(
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
    private readonly clock: Clock,
  ) {}

  /**
   * What is public stays as it is, without its pending changes; all else is gone for good, also what
   * was deleted before and is kept for other authors.
   */
  async leave(author: Types.ObjectId, transaction: ClientSession | null): Promise<void> {
    const options = inTransaction(transaction);
    await this.blogs.deleteMany({ author, published: { $ne: true } }, options);
    await this.blogs.updateMany(
      // As discarding does, and from review as well: nobody is left to withdraw.
      // Whole in each branch, so that each has its index: what has nothing pending is not looked at.
      {
        $or: [
          { author, drafted: true, published: true },
          { author, submitted: true, published: true },
        ],
      },
      updateOf('discard', this.clock.now(), author),
      { ...options, updatePipeline: true, timestamps: false },
    );
  }
}
