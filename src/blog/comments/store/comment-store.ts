import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { BY_ID } from '../../../platform/database/query-hints.js';
import { removeMany } from '../../trash/remove-many.js';
import { Idempotency } from '../../../platform/idempotency/idempotency.service.js';
import { BlogComment, IS_REPLY, NOBODY } from './blog-comment.schema.js';

/** Removes comments: of their writer, and those of a blog that is purged or whose author's account was deleted. */
@Injectable()
export class CommentStore {
  constructor(
    @InjectModel(BlogComment.name) private readonly comments: Model<BlogComment>,
    private readonly idempotency: Idempotency,
  ) {}

  /**
   * Removes all comments of these blogs. On a deleted blog nobody may comment: a request that stores a comment
   * meanwhile removes that comment again, so none is left. The call may be repeated.
   */
  async removeAllOf(blogs: readonly Types.ObjectId[]): Promise<void> {
    await removeMany<BlogComment>(
      this.comments,
      { blog: { $in: blogs } },
      { requestHash: 1 },
      (found) => this.idempotency.storeAllRemoved(found),
    );
  }

  /**
   * Removes the comment of a user. If it has replies, a placeholder stays until the last of them is removed.
   *
   * @returns false if the user has no such comment on the blog
   */
  async remove(comment: Pick<BlogComment, '_id' | 'blog' | 'by'>): Promise<boolean> {
    const removed = await this.comments
      .findOneAndUpdate(
        { ...comment, deleted: { $ne: true } },
        {
          $set: { deleted: true, text: '', by: NOBODY },
          $unset: { quote: 1, mentions: 1, requestHash: 1 },
        },
        { ...BY_ID },
      )
      .lean<BlogComment | null>();
    if (removed) await this.removeUnanswered(removed._id);
    return removed !== null;
  }

  /** Removes a placeholder without replies, then the one that it has answered, and so on. May be repeated. */
  async removeUnanswered(id: Types.ObjectId | undefined): Promise<void> {
    for (let next = id; next && !(await this.isAnswered(next));) {
      const removed = await this.comments
        .findOneAndDelete({ _id: next, deleted: true }, { ...BY_ID })
        .lean<BlogComment | null>();
      if (removed && (await this.isAnswered(next))) {
        // A reply was stored meanwhile. It may be refused because it has missed the placeholder, so this asks again.
        await this.comments.collection.insertOne(removed);
        continue;
      }
      next = removed?.replyTo;
    }
  }

  private async isAnswered(replyTo: Types.ObjectId): Promise<boolean> {
    const filter = { $and: [{ replyTo }, IS_REPLY] };
    return (await this.comments.findOne(filter).select(['_id']).read('primary').lean()) !== null;
  }
}
