import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { BlogComment } from './blog-comment.schema.js';

/** Removes comments together with their blog. The services in `src/blog/comments` write them. */
@Injectable()
export class CommentStore {
  constructor(@InjectModel(BlogComment.name) private readonly comments: Model<BlogComment>) {}

  /**
   * Removes all comments of a blog. The call may be repeated. If nobody may comment on the blog any
   * more when it begins, it leaves no comment: one that is stored meanwhile is removed again by the
   * request that stored it.
   *
   * @returns how many were removed
   */
  async removeAllOf(blog: Types.ObjectId): Promise<number> {
    return (await this.comments.deleteMany({ blog })).deletedCount;
  }
}
