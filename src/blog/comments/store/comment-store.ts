import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { BlogComment } from './blog-comment.schema.js';

/** Removes comments together with their blog. `src/blog/comments` writes them. */
@Injectable()
export class CommentStore {
  constructor(@InjectModel(BlogComment.name) private readonly comments: Model<BlogComment>) {}

  /**
   * Removes all comments of a blog. It may be repeated. If nobody may comment on the blog any more when
   * this begins, no comment is left: a comment that is stored during it is removed again.
   *
   * @returns how many were removed
   */
  async removeAllOf(blog: Types.ObjectId): Promise<number> {
    return (await this.comments.deleteMany({ blog })).deletedCount;
  }
}
