import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { Clock } from '../common/clock.js';
import { DeletedAccountService } from '../user/deleted-account.service.js';
import { UserService } from '../user/user.service.js';
import { updateOf } from './blog.state.js';
import { HAS_AUTHOR } from './blog.schema.js';
import { BlogStore } from './blog-store.js';

/** Cleans up the blogs of authors whose accounts were deleted. */
@Injectable()
export class FormerAuthorService {
  constructor(
    private readonly store: BlogStore,
    private readonly deletedAccounts: DeletedAccountService,
    private readonly users: UserService,
    private readonly clock: Clock,
  ) {}

  /**
   * Cleans up the blogs of one author. Public blogs stay, and lose their unpublished edits. All other
   * blogs are removed from the database, deleted ones included. The method may be repeated: it
   * finishes what an interrupted call has begun.
   *
   * First it marks all blogs with `authorLeft`. From then on the author's requests find none of them,
   * so the next two steps see every unpublished blog and edit. Marking a blog appends no event;
   * removing a blog and discarding an edit do.
   *
   * @returns how many blogs were removed
   */
  async cleanUp(author: Types.ObjectId): Promise<number> {
    await this.mark(author);
    const removal = { by: author, at: this.clock.now() };
    const removed = await this.store.removeMany({ author, published: { $ne: true } }, removal);
    await this.discardPending(author);
    return removed;
  }

  /**
   * Calls `cleanUp` again for every recently deleted account. A process that was killed may have
   * deleted the account but not its blogs, or may have stored a new blog of the author afterwards.
   *
   * @returns how many blogs were removed
   */
  async cleanUpDeletedAccounts(): Promise<number> {
    let removed = 0;
    for await (const author of this.deletedAccounts.all()) {
      // Without transactions, a refused deletion also leaves a record in `deletedAccounts`.
      if (!(await this.users.exists(author))) removed += await this.cleanUp(author);
      await this.deletedAccounts.deleteIfExpired(author);
    }
    return removed;
  }

  /** Marks the blogs. A published blog with `status: false` becomes unpublished, and so is removed. */
  private async mark(author: Types.ObjectId): Promise<void> {
    const published = { $and: ['$published', { $ne: ['$status', false] }] };
    await this.store.updateMany({ author, ...HAS_AUTHOR }, [
      { $set: { authorLeft: true, published } },
    ]);
  }

  private async discardPending(author: Types.ObjectId): Promise<void> {
    await this.store.updateMany(
      // Submitted edits are discarded as well. Each branch repeats the author, so that MongoDB uses an
      // index for each, and reads only blogs with unpublished edits.
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
