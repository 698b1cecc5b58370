import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection, mongo, Types } from 'mongoose';
import { BackgroundService } from '../../platform/jobs/background.service.js';
import type { NewEvent } from '../../events/log/event-log.schema.js';
import { OUTBOX_RELAY, EventLog } from '../../events/log/event-log.service.js';
import { BACKGROUND } from '../../platform/database/client-options.js';
import {
  IS_RENAME_PENDING,
  type DeletedAccount,
} from '../../user/schemas/deleted-account.schema.js';
import { IS_RENAMED, RENAMED_INDEX } from '../../user/schemas/renaming.schema.js';
import type { User } from '../../user/schemas/user.schema.js';
import { EDITORIAL_INDEXES } from '../core/blog.indexes.js';
import { IS_PUBLIC, type Blog } from '../core/blog.schema.js';
import { mediaCacheTag } from '../media/serving/media-cache-tag.js';
import { authorCacheTag } from '../public/lists/cache-tags.js';

/** Largest number of users in one batch. */
const BATCH = 100;

type RenamedUser = Pick<User, '_id'> & Required<Pick<User, 'renamed'>>;

/** The changes of authors that are not in the event log yet. */
export interface Renames {
  readonly users: readonly RenamedUser[];
  /** Accounts that were deleted, whose articles show "Former author". */
  readonly deleted: readonly DeletedAccount[];
}

/**
 * Adds an event to the event log when readers see a new name, or a new picture, of an author. A
 * change of a user without a live article adds none, unless the profile showed a picture, which a CDN may have.
 *
 * The write that changes a user also marks the user's record; `accountDeleted` marks the record of a
 * deleted account. The mark is cleared after the event is in the log. So every step may be repeated, also
 * by another process.
 */
@Injectable()
export class AuthorRenames {
  constructor(
    @InjectConnection(BACKGROUND) private readonly connection: Connection,
    private readonly background: BackgroundService,
    private readonly log: EventLog,
  ) {}

  /**
   * Marks the record of a deleted account for the event log, if the user has live articles or showed a picture. Call it after
   * the account is deleted. The call may be repeated.
   */
  async accountDeleted(user: Types.ObjectId): Promise<void> {
    const isShown = (await this.hasLiveArticle(user)) ? {} : { picture: { $exists: true } };
    const unmarked = { _id: user, renamePending: { $exists: false }, ...isShown };
    await this.deletedAccounts().updateOne(unmarked, { $set: { renamePending: true } });
    this.background.wake(OUTBOX_RELAY);
  }

  async isDue(): Promise<boolean> {
    const options = { projection: { _id: 1 } };
    const [user, account] = await Promise.all([
      this.users().findOne(IS_RENAMED, options),
      this.deletedAccounts().findOne(IS_RENAME_PENDING, options),
    ]);
    return user !== null || account !== null;
  }

  /** @returns how many events were added to the event log */
  async relay(signal: AbortSignal): Promise<number> {
    let announced = 0;
    for (let isMore = true; isMore && !signal.aborted;) {
      const renames = await this.read();
      announced += await this.announce(renames);
      if (signal.aborted) break;
      await this.clear(renames);
      isMore = renames.users.length === BATCH || renames.deleted.length === BATCH;
    }
    return announced;
  }

  /** Reads with read concern "majority", as the outbox relay of the blogs does. */
  async read(): Promise<Renames> {
    const options = { readConcern: { level: 'majority' } } as const;
    const [users, deleted] = await Promise.all([
      this.users()
        .find(IS_RENAMED, options)
        .project<RenamedUser>({ renamed: 1 })
        .sort(RENAMED_INDEX)
        .limit(BATCH)
        .toArray(),
      this.deletedAccounts().find(IS_RENAME_PENDING, options).limit(BATCH).toArray(),
    ]);
    return { users, deleted };
  }

  /** @returns how many events were added to the event log */
  async announce({ users, deleted }: Renames): Promise<number> {
    const events: NewEvent[] = deleted.map(({ _id, deletedAt, picture }) =>
      eventOf(_id, `evt_${_id.toHexString()}_deleted`, deletedAt, picture ? [picture] : []),
    );
    for (const { _id, renamed } of users) {
      const { id, at, pictures = [] } = renamed;
      if (pictures.length === 0 && !(await this.hasLiveArticle(_id))) continue;
      events.push(eventOf(_id, `evt_${id.toHexString()}`, at, pictures));
    }
    await this.log.append(events.sort((one, other) => one.at.getTime() - other.at.getTime()));
    return events.length;
  }

  /**
   * Clears the marks that were read; a mark of a later change stays. In the record of a deleted account
   * `renamePending` becomes false, so that a repeated `accountDeleted` does not mark it again.
   */
  async clear({ users, deleted }: Renames): Promise<void> {
    for (const { _id, renamed } of users) {
      await this.users().updateOne({ _id, 'renamed.id': renamed.id }, { $unset: { renamed: 1 } });
    }
    for (const { _id } of deleted) {
      await this.deletedAccounts().updateOne(
        { _id },
        { $set: { renamePending: false }, $unset: { picture: 1 } },
      );
    }
  }

  private async hasLiveArticle(author: Types.ObjectId): Promise<boolean> {
    const blog = await this.database()
      .collection<Blog>('blogs')
      .findOne(
        { author, ...IS_PUBLIC },
        { projection: { _id: 1 }, hint: EDITORIAL_INDEXES.published, readPreference: 'primary' },
      );
    return blog !== null;
  }

  private users(): mongo.Collection<User> {
    return this.database().collection('users');
  }

  private deletedAccounts(): mongo.Collection<DeletedAccount> {
    return this.database().collection('deleted_accounts');
  }

  private database(): mongo.Db {
    return this.connection.getClient().db(this.connection.name);
  }
}

/** @param pictures those that the profile showed */
function eventOf(
  author: Types.ObjectId,
  id: string,
  at: Date,
  pictures: readonly string[],
): NewEvent {
  const cacheTags = [authorCacheTag(author), ...pictures.map(mediaCacheTag)];
  const data = { _id: author.toHexString(), cacheTags };
  return { id, type: 'author.renamed', at, data };
}
