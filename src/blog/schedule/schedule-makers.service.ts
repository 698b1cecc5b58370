import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter, Types } from 'mongoose';
import { OUTBOX_RELAY } from '../../events/log/event-log.service.js';
import { Clock } from '../../platform/clock.js';
import { BY_ID, withHint } from '../../platform/database/query-hints.js';
import { BackgroundService } from '../../platform/jobs/background.service.js';
import { UserService } from '../../user/user.service.js';
import { SCHEDULE_MAKERS } from '../core/blog.indexes.js';
import { Blog, type BlogFilter } from '../core/blog.schema.js';
import { BlogStore } from '../core/blog-store.js';
import type { Schedule } from '../core/review.schema.js';
import { updateOf } from '../core/transitions/transition-update.js';

/** The name of the background job that settles the schedules of editors who have left. */
export const SCHEDULE_MAKERS_JOB = 'schedules of former editors';

/** Largest number of blogs of each kind that one call changes. */
export const SETTLED_MAX = 100;

/** The blogs whose schedules were settled. */
export interface SettledSchedules {
  /** The blogs that are not to be published any more. */
  readonly cleared: readonly Types.ObjectId[];
  /** The blogs whose unpublication has passed to an ADMIN. */
  readonly passed: readonly Types.ObjectId[];
  /** Whether blogs are left, which the background job settles. */
  readonly more: boolean;
}

interface SettleOptions {
  /** The ADMIN who has changed the account of the maker; null if nobody or somebody else did. */
  readonly admin?: Types.ObjectId | null;
  /** A further condition on the blogs. */
  readonly only?: BlogFilter;
}

/**
 * Sees to it that what is scheduled has an enabled user who answers for it. A publication needs an
 * enabled EDITOR, or it is cleared. An unpublication stays, because a licence may end: it passes to an
 * enabled ADMIN.
 *
 * `settle` is called after the account of an editor was changed, by the background job, and when a
 * transition is due. Each write is conditional, so that calls may be repeated, also by another process.
 */
@Injectable()
export class ScheduleMakers {
  constructor(
    @InjectModel(Blog.name) private readonly blogs: Model<Blog>,
    private readonly store: BlogStore,
    private readonly users: UserService,
    private readonly background: BackgroundService,
    private readonly clock: Clock,
  ) {}

  /** Whether the transition may be made in the name of this user. Reads from the primary. */
  async mayMake(transition: keyof Schedule, user: Types.ObjectId): Promise<boolean> {
    if (await this.users.isEnabledWith(user, 'EDITOR')) return true;
    return transition === 'unpublish' && (await this.users.isEnabledWith(user, 'ADMIN'));
  }

  /**
   * Settles what a user has scheduled, SETTLED_MAX blogs of each kind at most. Does nothing for an
   * enabled EDITOR. Unpublications pass to `admin` if this is an enabled ADMIN, else to any. While the
   * user is an enabled ADMIN, only those pass that did not pass to this user before, and only to
   * `admin`. They all stay if there is no enabled ADMIN.
   */
  async settle(
    maker: Types.ObjectId,
    { admin = null, only = {} }: SettleOptions = {},
  ): Promise<SettledSchedules> {
    if (await this.mayMake('publish', maker)) return { cleared: [], passed: [], more: false };
    const planned = { ...only, 'schedule.publish.by': maker };
    const cleared = await this.change('publish', planned, 'clearPublication', maker, admin);
    const isAdmin = await this.users.isEnabledWith(maker, 'ADMIN');
    const heir = await this.heirOf(admin, isAdmin);
    const left = {
      ...only,
      'schedule.unpublish.by': maker,
      ...(isAdmin ? { 'schedule.unpublish.passed': null } : {}),
    };
    const passed = heir ? await this.change('unpublish', left, 'passUnpublication', heir) : [];
    if (cleared.length + passed.length > 0) this.background.wake(OUTBOX_RELAY);
    const more = [cleared, passed].some(({ length }) => length === SETTLED_MAX);
    if (more) this.background.wake(SCHEDULE_MAKERS_JOB);
    return { cleared, passed, more };
  }

  /** @returns who gets the unpublications of a user; null if they stay */
  private async heirOf(
    admin: Types.ObjectId | null,
    isAdmin: boolean,
  ): Promise<Types.ObjectId | null> {
    if (admin && (await this.users.isEnabledWith(admin, 'ADMIN'))) return admin;
    return isAdmin ? null : this.users.findEnabledWith('ADMIN');
  }

  /** @returns the blogs that were changed; another write may have come first at the others */
  private async change(
    transition: keyof Schedule,
    filter: BlogFilter,
    name: 'clearPublication' | 'passUnpublication',
    actor: Types.ObjectId,
    by: Types.ObjectId | null = actor,
  ): Promise<Types.ObjectId[]> {
    const update = updateOf(name, { now: this.clock.now(), actor, by });
    const changed: Types.ObjectId[] = [];
    for (const _id of await this.find(transition, filter)) {
      const found = { ...filter, _id };
      if (await this.store.update(found, update, { returnDocument: 'before' })) changed.push(_id);
    }
    return changed;
  }

  private async find(transition: keyof Schedule, filter: BlogFilter): Promise<Types.ObjectId[]> {
    const index = '_id' in filter ? BY_ID.hint : SCHEDULE_MAKERS[transition].index;
    const blogs = await withHint(index, (hint) =>
      this.blogs
        .find(filter as QueryFilter<Blog>, null, hint)
        .select(['_id'])
        .limit(SETTLED_MAX)
        .read('primary')
        .lean<Blog[]>(),
    );
    return blogs.map(({ _id }) => _id);
  }
}
