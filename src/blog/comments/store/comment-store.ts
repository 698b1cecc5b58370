import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { BlogComment } from './blog-comment.schema.js';

/**
 * Removes the comments of a blog that is removed. `BlogCommentService` does everything else with
 * comments.
 */
@Injectable()
export class CommentStore {
  constructor(@InjectModel(BlogComment.name) private readonly comments: Model<BlogComment>) {}

  /**
   * Removes all comments of a blog. The call may be repeated. Once nobody may comment on the blog
   * any more, a call leaves no comment: a request that stores one during the call removes it again.
   *
   * @returns how many comments were removed
   */
  async removeAllOf(blog: Types.ObjectId): Promise<number> {
    return (await this.comments.deleteMany({ blog })).deletedCount;
  }
}
