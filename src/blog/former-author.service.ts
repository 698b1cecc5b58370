import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { Clock } from '../common/clock.js';
import { DeletedAccountService } from '../user/deleted-account.service.js';
import { UserService } from '../user/user.service.js';
import { updateOf } from './blog.state.js';
import { HAS_AUTHOR } from './blog.schema.js';
import { BlogStore } from './blog-store.js';

/** What becomes of the blogs of somebody who leaves. */
@Injectable()
export class FormerAuthorService {
  constructor(
    private readonly store: BlogStore,
    private readonly deletedAccounts: DeletedAccountService,
    private readonly users: UserService,
    private readonly clock: Clock,
  ) {}

  /**
   * Sweeps the blogs of somebody whose account is gone. What is public stays as it is, without its
   * pending changes; all else is gone for good, also what was deleted before and is kept for other
   * authors. Safe to repeat: it finishes what another call has begun.
   *
   * The mark comes first. After it no request of the author can change a blog that is there, so
   * nothing is pending or unpublished that the two steps behind it have not seen. The mark is no move
   * and leaves no event; what is discarded or deleted does.
   *
   * @returns how many blogs are gone
   */
  async leave(author: Types.ObjectId): Promise<number> {
    await this.mark(author);
    const removal = { by: author, at: this.clock.now() };
    const gone = await this.store.removeMany({ author, published: { $ne: true } }, removal);
    await this.discardPending(author);
    return gone;
  }

  /**
   * Sweeps once more after every account that was deleted lately. A process that ended between the
   * deletion and its sweep has left the blogs, and one that ended while it created a blog has left
   * that.
   *
   * @returns how many blogs are gone
   */
  async sweep(): Promise<number> {
    let gone = 0;
    for await (const author of this.deletedAccounts.all()) {
      // Where there are no transactions, a deletion may have been marked and then refused.
      if (!(await this.users.exists(author))) gone += await this.leave(author);
      await this.deletedAccounts.forgetSettled(author);
    }
    return gone;
  }

  /** What `status` hides, set by hand, counts as unpublished from here on: it is nobody's any more. */
  private async mark(author: Types.ObjectId): Promise<void> {
    const published = { $and: ['$published', { $ne: ['$status', false] }] };
    await this.store.updateMany({ author, ...HAS_AUTHOR }, [
      { $set: { authorLeft: true, published } },
    ]);
  }

  private async discardPending(author: Types.ObjectId): Promise<void> {
    await this.store.updateMany(
      // As discarding does, and from review as well: nobody is left to withdraw.
      // Whole in each branch, so that each has its index: what has nothing pending is not looked at.
      {
        $or: [
          { author, drafted: true, published: true },
          { author, submitted: true, published: true },
        ],
      },
      updateOf('discard', this.clock.now(), author),
    );
  }
}
