import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection, Types } from 'mongoose';
import { BackgroundService, type BackgroundJob } from '../../platform/jobs/background.service.js';
import {
  BlogNotFoundError,
  IllegalMoveError,
  OtherEditorNeededError,
} from '../core/blog.errors.js';
import { HAS_SCHEDULE, SCHEDULE_INDEX } from '../core/blog.indexes.js';
import { BlogStore } from '../core/blog-store.js';
import { BlogMoveService } from '../core/transitions/blog-move.service.js';
import { MOVES } from '../core/transitions/move-table.js';
import { updateOf } from '../core/transitions/move-update.js';
import type { Schedule } from '../core/review.schema.js';
import { Clock } from '../../platform/clock.js';
import { StaleRevisionError } from '../../platform/http/errors/api.errors.js';
import { BACKGROUND } from '../../platform/database/client-options.js';

/** How many blogs one query reads. */
const BATCH = 20;

/** A move whose time has come. */
export interface DueMove {
  readonly blog: Types.ObjectId;
  readonly move: keyof Schedule;
  readonly at: Date;
  /** The editor who scheduled it. */
  readonly by: Types.ObjectId;
}

interface ScheduledBlog {
  readonly _id: Types.ObjectId;
  readonly schedule?: Schedule;
  readonly isDue: boolean;
}

/** The move cannot be made any more, whatever the schedule says. */
const REFUSALS = [BlogNotFoundError, IllegalMoveError, OtherEditorNeededError];

/**
 * Makes the scheduled moves when they are due.
 *
 * Every process runs this job, and looks every second. A move is conditional on the time in the
 * schedule, and removes it, so only one process makes it. The time is compared with `$$NOW`, the
 * clock of the MongoDB primary, so the clocks of the processes need not agree.
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
    private readonly moves: BlogMoveService,
    private readonly store: BlogStore,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.background.register(this);
  }

  async isDue(): Promise<boolean> {
    return (await this.scheduled(1)).some(({ isDue }) => isDue);
  }

  /**
   * Makes what is due, the oldest first, until nothing is. A blog whose two times have passed is
   * published in one step and unpublished in a later one.
   *
   * @returns null: each move is logged when it is made
   * @throws the first error of the database, after all other moves were made
   */
  async run(signal: AbortSignal): Promise<null> {
    const errors: unknown[] = [];
    for (let isMore = true; isMore;) {
      isMore = false;
      for (const due of await this.read()) {
        if (signal.aborted) return null;
        try {
          // If another process is making these moves, it is left to go on. The next run looks again.
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

  /** Reads the moves that are due, the oldest first: the next one of each blog. */
  async read(): Promise<DueMove[]> {
    const blogs = await this.scheduled(BATCH);
    return blogs.filter(({ isDue }) => isDue).flatMap(nextMoveOf);
  }

  /** @returns whether this process has made the move, or has ended a schedule that cannot be kept */
  async make(due: DueMove): Promise<boolean> {
    const { blog, move, at, by } = due;
    try {
      await this.moves.move(move, { id: blog, actor: by, ifMatch: null, due: conditionOf(due) });
    } catch (error) {
      // Each time another write came first; the schedule may have changed as well.
      if (error instanceof StaleRevisionError) return false;
      if (!REFUSALS.some((refusal) => error instanceof refusal)) throw error;
      return this.end(due, (error as Error).message);
    }
    const { participle } = MOVES[move];
    this.logger.log(
      `blog ${blog.toHexString()} ${participle}, as scheduled for ${at.toISOString()}`,
    );
    return true;
  }

  /**
   * Ends the schedule of a blog, in any state, with the event of `unschedule`: otherwise the move
   * would be tried for ever.
   *
   * @param reason why the move was refused
   * @returns false when the schedule has changed meanwhile, such as by another process
   */
  private async end(due: DueMove, reason: string): Promise<boolean> {
    const { blog, move, by } = due;
    const update = updateOf('unschedule', { now: this.clock.now(), actor: by });
    const ended = await this.store.updateMany({ _id: blog, ...conditionOf(due) }, update);
    if (ended === 0) return false;
    this.logger.warn(`blog ${blog.toHexString()}: the scheduled ${move} was given up: ${reason}`);
    return true;
  }

  /** The blogs with the oldest times, due or not. */
  private async scheduled(limit: number): Promise<ScheduledBlog[]> {
    // Uses the collection of the driver, because that of Mongoose queues operations while disconnected.
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

/** The schedule must still have this time. */
function conditionOf({
  move,
  at,
}: DueMove): Readonly<Record<`schedule.${keyof Schedule}.at`, Date>> {
  return { [`schedule.${move}.at`]: at } as ReturnType<typeof conditionOf>;
}

/** The move with the earlier time; none in a record whose schedule was edited in the database. */
function nextMoveOf({ _id: blog, schedule = {} }: ScheduledBlog): DueMove[] {
  return (['publish', 'unpublish'] as const)
    .flatMap((move) => (schedule[move] ? [{ blog, move, ...schedule[move] }] : []))
    .sort((one, other) => one.at.getTime() - other.at.getTime())
    .slice(0, 1);
}
