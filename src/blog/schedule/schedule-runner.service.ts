import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection, Types } from 'mongoose';
import { BackgroundService, type BackgroundJob } from '../../platform/jobs/background.service.js';
import {
  BlogNotFoundError,
  IllegalTransitionError,
  OtherEditorNeededError,
} from '../core/blog.errors.js';
import { HAS_SCHEDULE, SCHEDULE_INDEX } from '../core/blog.indexes.js';
import { BlogStore } from '../core/blog-store.js';
import { BlogTransitionService } from '../core/transitions/blog-transition.service.js';
import { TRANSITIONS } from '../core/transitions/transition-table.js';
import { updateOf } from '../core/transitions/transition-update.js';
import type { Schedule } from '../core/review.schema.js';
import { Clock } from '../../platform/clock.js';
import { StaleRevisionError } from '../../platform/http/errors/api.errors.js';
import { ScheduleMakers } from './schedule-makers.service.js';
import { BACKGROUND } from '../../platform/database/client-options.js';

/** Number of blogs that one query reads. */
const BATCH = 20;

/** A transition whose time has come. */
export interface DueTransition {
  readonly blog: Types.ObjectId;
  readonly transition: keyof Schedule;
  readonly at: Date;
  /** The editor who scheduled the transition, or the ADMIN to whom it has passed. */
  readonly by: Types.ObjectId;
  readonly passed?: true;
}

interface ScheduledBlog {
  readonly _id: Types.ObjectId;
  readonly schedule?: Schedule;
  readonly isDue: boolean;
}

/** Errors that mean that the transition cannot be made any more, whatever the schedule says. */
const REFUSALS = [BlogNotFoundError, IllegalTransitionError, OtherEditorNeededError];

/**
 * Makes the scheduled transitions when they are due.
 *
 * Every process runs this job, and checks every second. The write of a transition requires that the
 * schedule still has the time of the transition, and removes this time. So only one process makes
 * the transition. The time is compared with `$$NOW`, the clock of the MongoDB primary, so the
 * clocks of the processes need not agree.
 */
@Injectable()
export class ScheduleRunner implements BackgroundJob, OnModuleInit {
  readonly name = 'scheduled moves';
  readonly everyMs = 0;
  readonly isExclusive = false;
  readonly retryMs = 0;
  private readonly logger = new Logger(ScheduleRunner.name);

  constructor(
    @InjectConnection(BACKGROUND) private readonly connection: Connection,
    private readonly background: BackgroundService,
    private readonly transitions: BlogTransitionService,
    private readonly store: BlogStore,
    private readonly makers: ScheduleMakers,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.background.register(this);
  }

  async isDue(): Promise<boolean> {
    return (await this.scheduled(1)).some(({ isDue }) => isDue);
  }

  /**
   * Makes the transitions that are due, the oldest first, until none is due. A blog whose two times
   * have passed is published in one step and unpublished in a later one.
   *
   * @returns null: each transition is logged when it is made
   * @throws the first error of the database, after all other transitions were made
   */
  async run(signal: AbortSignal): Promise<null> {
    const errors: unknown[] = [];
    for (let isMore = true; isMore;) {
      isMore = false;
      for (const due of await this.read()) {
        if (signal.aborted) return null;
        try {
          // Another process has probably made this transition and continues with the next ones.
          // The next run checks again.
          if (!(await this.make(due))) return null;
          isMore = true;
        } catch (error) {
          errors.push(error);
        }
      }
    }
    if (errors.length > 0) throw errors[0];
    return null;
  }

  /** Reads the transitions that are due, the oldest first: the next one of each blog. */
  async read(): Promise<DueTransition[]> {
    const blogs = await this.scheduled(BATCH);
    return blogs.filter(({ isDue }) => isDue).flatMap(nextTransitionOf);
  }

  /**
   * Makes a transition in the name of the user who scheduled it. If this user may not make it any more,
   * the schedule is settled instead (see ScheduleMakers): a publication is cleared, and an unpublication
   * passes to an ADMIN, in whose name the next step makes it. Without an enabled ADMIN it is made at once.
   *
   * @returns whether this process has made the transition, has settled the schedule, or has ended it after a refusal
   */
  async make(due: DueTransition): Promise<boolean> {
    const { blog, transition, at, by, passed } = due;
    const mayMake = await this.makers.mayMake(transition, by);
    if (!mayMake && (await this.settle(due))) return true;
    if (!mayMake && transition === 'publish') return false;
    try {
      await this.transitions.apply(transition, {
        id: blog,
        actor: by,
        ifMatch: null,
        due: conditionOf(due),
        isPassed: passed === true || !mayMake,
      });
    } catch (error) {
      // Another write came first in each attempt; it may have changed the schedule as well.
      if (error instanceof StaleRevisionError) return false;
      if (!REFUSALS.some((refusal) => error instanceof refusal)) throw error;
      return this.end(due, (error as Error).message);
    }
    const { participle } = TRANSITIONS[transition];
    this.logger.log(
      `blog ${blog.toHexString()} ${participle}, as scheduled for ${at.toISOString()}`,
    );
    return true;
  }

  /** @returns false when the schedule has changed meanwhile, or there is no enabled ADMIN */
  private async settle(due: DueTransition): Promise<boolean> {
    const { blog, transition, by } = due;
    const only = { _id: blog, ...conditionOf(due) };
    const { cleared, passed } = await this.makers.settle(by, { only });
    if (cleared.length + passed.length === 0) return false;
    const outcome = cleared.length > 0 ? 'cleared' : 'passed to an ADMIN';
    this.logger.warn(
      `blog ${blog.toHexString()}: the scheduled ${transition} was ${outcome}: ` +
        `user ${by.toHexString()} is no longer an enabled EDITOR`,
    );
    return true;
  }

  /**
   * Ends the schedule of a blog, in any state, with the event of `unschedule` by the server itself: otherwise
   * the transition would be tried for ever.
   *
   * @param reason why the transition was refused
   * @returns false when the schedule has changed meanwhile, such as by another process
   */
  private async end(due: DueTransition, reason: string): Promise<boolean> {
    const { blog, transition, by } = due;
    const update = updateOf('unschedule', { now: this.clock.now(), actor: by, by: null });
    const ended = await this.store.updateMany({ _id: blog, ...conditionOf(due) }, update);
    if (ended === 0) return false;
    this.logger.warn(
      `blog ${blog.toHexString()}: the scheduled ${transition} was given up: ${reason}`,
    );
    return true;
  }

  /** The blogs with the earliest scheduled times, due or not. */
  private async scheduled(limit: number): Promise<ScheduledBlog[]> {
    return this.connection
      .getClient()
      .db(this.connection.name)
      .collection('blogs')
      .find(HAS_SCHEDULE)
      .project<ScheduledBlog>({ schedule: 1, isDue: { $lte: ['$dueAt', '$$NOW'] } })
      .sort(SCHEDULE_INDEX)
      .limit(limit)
      .toArray();
  }
}

/** The condition that the schedule still has this time. */
function conditionOf({
  transition,
  at,
}: DueTransition): Readonly<Record<`schedule.${keyof Schedule}.at`, Date>> {
  return { [`schedule.${transition}.at`]: at } as ReturnType<typeof conditionOf>;
}

/**
 * The scheduled transition with the earlier time. A record may have `dueAt` but no times, if
 * somebody has edited the schedule in the database.
 */
function nextTransitionOf({ _id: blog, schedule = {} }: ScheduledBlog): DueTransition[] {
  return (['publish', 'unpublish'] as const)
    .flatMap((transition) =>
      schedule[transition] ? [{ blog, transition, ...schedule[transition] }] : [],
    )
    .sort((one, other) => one.at.getTime() - other.at.getTime())
    .slice(0, 1);
}
