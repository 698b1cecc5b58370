import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { Clock } from '../../platform/clock.js';
import { DeletedAccountService } from '../../user/deleted-account.service.js';
import { UserService } from '../../user/user.service.js';
import { AuthorRenames } from '../history/author-renames.js';
import { HAS_AUTHOR } from '../core/blog.schema.js';
import { BlogStore } from '../core/blog-store.js';
import { eventsWithoutNotes } from '../history/blog-event.schema.js';
import { NoteStore } from '../history/note-store.js';
import { scheduleStages } from '../core/transitions/schedule-stages.js';
import { updateOf } from '../core/transitions/transition-update.js';
import { BlogPurgeService } from './blog-purge.service.js';

/** Cleans up the blogs that deleted accounts have left. */
@Injectable()
export class FormerAuthorService {
  constructor(
    private readonly store: BlogStore,
    private readonly purges: BlogPurgeService,
    private readonly deletedAccounts: DeletedAccountService,
    private readonly users: UserService,
    private readonly renames: AuthorRenames,
    private readonly notes: NoteStore,
    private readonly clock: Clock,
  ) {}

  /**
   * Cleans up after a deleted account. Live blogs stay, and lose everything that was never
   * published: edits, revisions, and what was said in reviews. All other blogs are removed from the
   * database, those in the trash and those deleted by older versions included. Assignments of the
   * account end, and its notes on the blogs of others are removed. The method may be repeated: it finishes what an interrupted call has begun.
   *
   * Before it removes anything, it marks all blogs with `authorLeft`. From then on the author's
   * requests find none of them, so the purge sees every unpublished blog and edit. The same write
   * marks the blogs for the purge, so that the background job continues if the process ends. Marking
   * a blog appends no event; removing a blog and discarding an edit do. If live blogs stay, the event
   * log gets an event, because readers now see "Former author" as the name of their author.
   *
   * @param signal ends the purge early; the background job does the rest
   * @returns the number of blogs that were removed
   */
  async cleanUp(user: Types.ObjectId, signal?: AbortSignal): Promise<number> {
    await this.renames.accountDeleted(user);
    await this.mark(user);
    await this.endAssignments(user);
    await this.notes.removeAllBy(user);
    return this.purges.purgeAllOf(user, signal);
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
      // An account may still exist here: without transactions, a refused deletion leaves a record
      // in `deletedAccounts`.
      if (!(await this.users.exists(author))) removed += await this.cleanUp(author);
      await this.deletedAccounts.deleteIfExpired(author);
    }
    return removed;
  }

  /**
   * Marks the blogs. A published blog with `status: false` becomes unpublished, and so is removed.
   * Scheduled publications are cleared: a publication before the next steps would keep the blog.
   */
  private async mark(author: Types.ObjectId): Promise<void> {
    const published = { $and: ['$published', { $ne: ['$status', false] }] };
    await this.store.updateMany({ author, ...HAS_AUTHOR }, [
      {
        $set: {
          authorLeft: true,
          purging: true,
          published,
          requestHash: '$$REMOVE',
          events: eventsWithoutNotes(),
        },
      },
      ...scheduleStages(false),
    ]);
  }

  private async endAssignments(editor: Types.ObjectId): Promise<void> {
    const transition = { now: this.clock.now(), actor: editor, details: { editor: null } };
    await this.store.updateMany({ assignedTo: editor }, updateOf('assign', transition));
  }
}
