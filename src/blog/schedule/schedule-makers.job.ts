import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection, mongo, Types } from 'mongoose';
import { BACKGROUND } from '../../platform/database/client-options.js';
import { BY_ID } from '../../platform/database/query-hints.js';
import { BackgroundService, type BackgroundJob } from '../../platform/jobs/background.service.js';
import { RoleService } from '../../user/role.service.js';
import type { User } from '../../user/schemas/user.schema.js';
import { SCHEDULE_MAKERS } from '../core/blog.indexes.js';
import type { Blog } from '../core/blog.schema.js';
import type { Schedule } from '../core/review.schema.js';
import { SCHEDULE_MAKERS_JOB, ScheduleMakers } from './schedule-makers.service.js';

/**
 * Settles the schedules of editors who have left: those that a long request has not reached, or a
 * killed process, and those of accounts that an older server or an operator has changed.
 */
@Injectable()
export class ScheduleMakersJob implements BackgroundJob, OnModuleInit {
  readonly name = SCHEDULE_MAKERS_JOB;
  readonly everyMs = 5_000;
  readonly retryMs = 5_000;

  constructor(
    @InjectConnection(BACKGROUND) private readonly connection: Connection,
    private readonly background: BackgroundService,
    private readonly makers: ScheduleMakers,
    private readonly roles: RoleService,
  ) {}

  onModuleInit(): void {
    this.background.register(this);
  }

  async isDue(): Promise<boolean> {
    return (await this.leftMakers()).length > 0;
  }

  async run(signal: AbortSignal): Promise<string | null> {
    let cleared = 0;
    let passed = 0;
    for (const maker of await this.leftMakers()) {
      for (let isMore = true; isMore && !signal.aborted;) {
        const settled = await this.makers.settle(maker);
        cleared += settled.cleared.length;
        passed += settled.passed.length;
        isMore = settled.more;
      }
    }
    if (cleared + passed === 0) return null;
    return `publications cleared: ${cleared}, unpublications passed to an ADMIN: ${passed}`;
  }

  /** The users who have scheduled something that may not be made in their name any more. */
  private async leftMakers(): Promise<Types.ObjectId[]> {
    const [editors, admins] = await Promise.all([
      this.roles.idsWith('EDITOR'),
      this.roles.idsWith('ADMIN'),
    ]);
    const [publishers, unpublishers] = await Promise.all([
      this.makersWithout('publish', editors),
      this.makersWithout('unpublish', [...editors, ...admins]),
    ]);
    return [...new Map([...publishers, ...unpublishers].map((id) => [String(id), id])).values()];
  }

  private async makersWithout(
    transition: keyof Schedule,
    roles: readonly Types.ObjectId[],
  ): Promise<Types.ObjectId[]> {
    // The driver does not know the type of a nested field.
    const makers = (await this.database()
      .collection<Blog>('blogs')
      .distinct(
        `schedule.${transition}.by`,
        SCHEDULE_MAKERS[transition].filter,
      )) as Types.ObjectId[];
    if (makers.length === 0) return [];
    const enabled = await this.database()
      .collection<User>('users')
      .find({ _id: { $in: makers }, status: { $ne: false }, roles: { $in: [...roles] } }, BY_ID)
      .project<Pick<User, '_id'>>({ _id: 1 })
      .toArray();
    const ids = new Set(enabled.map(({ _id }) => _id.toHexString()));
    return makers.filter((maker) => !ids.has(maker.toHexString()));
  }

  private database(): mongo.Db {
    const { name } = this.connection;
    return this.connection.getClient().db(name, { readPreference: 'primary' });
  }
}
