import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { Clock } from '../../platform/clock.js';
import { DeletedAccountService } from '../../user/deleted-account.service.js';
import { UserService } from '../../user/user.service.js';
import { AuthorRenames } from '../history/author-renames.js';
import { IS_PURGING } from '../core/blog.indexes.js';
import { Blog, HAS_AUTHOR } from '../core/blog.schema.js';
import { BlogStore } from '../core/blog-store.js';
import { BATCH, AuthorBlogs } from '../jobs/author-blogs.service.js';
import { AccountJobs } from '../jobs/account-jobs.service.js';
import { BY_ID } from '../../platform/database/query-hints.js';
import { eventsWithoutNotes } from '../history/blog-event.schema.js';
import { NoteStore } from '../history/note-store.js';
import { scheduleStages } from '../core/transitions/schedule-stages.js';
import { updateOf } from '../core/transitions/transition-update.js';
import { BlogPurgeService } from './blog-purge.service.js';

/** Cleans up the blogs that deleted accounts have left. */
@Injectable()
export class FormerAuthorService {
  constructor(
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
    private readonly store: BlogStore,
    private readonly authorBlogs: AuthorBlogs,
    private readonly jobs: AccountJobs,
    private readonly purges: BlogPurgeService,
    private readonly deletedAccounts: DeletedAccountService,
    private readonly users: UserService,
    private readonly renames: AuthorRenames,
    private readonly notes: NoteStore,
    private readonly clock: Clock,
  ) {}

  /**
   * Does the job of a deletion. Live blogs stay, and lose everything that was never
   * published: edits, revisions, and what was said in reviews. All other blogs are removed from the
   * database, those in the trash and those deleted by older versions included. Assignments of the
   * account end, and its notes on the blogs of others are removed. The method may be repeated: it finishes what an
   * interrupted call has begun.
   *
   * @param signal ends the work early
   * @param onDone called with the number of blogs that are done since the last call
   */
  async cleanUp(
    user: Types.ObjectId,
    signal: AbortSignal,
    onDone: (count: number) => Promise<void>,
  ): Promise<void> {
    await this.announce(user);
    await this.endAssignments(user);
    await this.notes.removeAllBy(user);
    await this.authorBlogs.inBatches(
      user,
      { $or: [HAS_AUTHOR, IS_PURGING] },
      signal,
      async (ids) => {
        await this.cleanUpBlogs(ids, user);
        await onDone(ids.length);
      },
    );
    if (!signal.aborted) await this.deletedAccounts.deleteIfExpired(user);
  }

  /**
   * If live blogs stay, the event log gets an event, because readers now see "Former author" as the name of their
   * author. The method may be repeated.
   */
  async announce(user: Types.ObjectId): Promise<void> {
    await this.renames.accountDeleted(user);
  }

  /**
   * Cleans up a blog now, if the job of its deleted author has not reached it yet. Every operation on one blog of
   * another user begins with this, so that from the answer to the deletion on it finds what the job will leave.
   */
  async settle(id: Types.ObjectId): Promise<void> {
    const leaving = await this.jobs.leaving();
    if (leaving.length === 0) return;
    const blog = await this.blogs
      .findOne({ _id: id, author: { $in: leaving } }, null, BY_ID)
      .select(['author'])
      .read('primary')
      .lean<Blog | null>();
    if (blog) await this.cleanUpBlogs([id], blog.author);
  }

  /**
   * Asks for the job of every recently deleted account again. A process that was killed may have deleted the account
   * without a job on a database that has no transactions, or may have stored a new blog of the author afterwards.
   */
  async resumeDeletions(): Promise<void> {
    for await (const from of this.deletedAccounts.all()) {
      // An account may still exist here: without transactions, a refused deletion leaves a record
      // in `deletedAccounts`.
      if (await this.users.exists(from)) await this.deletedAccounts.deleteIfExpired(from);
      else await this.jobs.add({ kind: 'accountDeletion', from });
    }
  }

  private async cleanUpBlogs(
    ids: readonly Types.ObjectId[],
    author: Types.ObjectId,
  ): Promise<void> {
    await this.mark(ids, author);
    await this.purges.finish(ids, author);
  }

  /**
   * Marks the blogs with `authorLeft` and for the purge. From then on the author's requests do not find them, so the
   * purge sees every edit. Marking a blog appends no event; removing a blog and discarding an edit do. A published
   * blog with `status: false` becomes unpublished, and so is removed. Scheduled publications are cleared: a
   * publication before the next steps would keep the blog.
   */
  private async mark(ids: readonly Types.ObjectId[], author: Types.ObjectId): Promise<void> {
    const published = { $and: ['$published', { $ne: ['$status', false] }] };
    await this.store.updateMany({ _id: { $in: ids }, author, ...HAS_AUTHOR }, [
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
    const update = updateOf('assign', transition);
    for (
      let ids = await this.assignedTo(editor);
      ids.length > 0;
      ids = await this.assignedTo(editor)
    ) {
      await this.store.updateMany({ _id: { $in: ids }, assignedTo: editor }, update);
    }
  }

  private async assignedTo(editor: Types.ObjectId): Promise<Types.ObjectId[]> {
    const blogs = await this.blogs
      .find({ assignedTo: editor })
      .select(['_id'])
      .limit(BATCH)
      .read('primary')
      .lean<Blog[]>();
    return blogs.map(({ _id }) => _id);
  }
}
