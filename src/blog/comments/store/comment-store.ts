import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { BlogComment } from './blog-comment.schema.js';

/**
 * Removes the comments of a blog that is purged, or whose author's account was deleted.
 * `BlogCommentService` does everything else with comments.
 */
@Injectable()
export class CommentStore {
  constructor(@InjectModel(BlogComment.name) private readonly comments: Model<BlogComment>) {}

  /**
   * Removes all comments of a blog. On a deleted blog nobody may comment: a request that stores a comment
   * meanwhile removes that comment again, so none is left. The call may be repeated.
   *
   * @returns how many comments were removed
   */
  async removeAllOf(blog: Types.ObjectId): Promise<number> {
    return (await this.comments.deleteMany({ blog })).deletedCount;
  }
}
