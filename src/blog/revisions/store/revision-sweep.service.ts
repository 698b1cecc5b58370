import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection, mongo, Types } from 'mongoose';
import {
  BackgroundService,
  type BackgroundJob,
} from '../../../platform/jobs/background.service.js';
import { BACKGROUND } from '../../../platform/database/client-options.js';
import type { Blog } from '../../core/blog.schema.js';
import {
  BLOG_CONTENTS_INDEX,
  HAS_SWEEP_TIME,
  SWEEP_INDEX,
  type RevisionContent,
} from './revision-content.schema.js';

/** Largest number of due contents in one batch. */
const BATCH = 200;

type ContentKeys = Pick<RevisionContent, '_id' | 'blog' | 'sweepAt'>;

/**
 * Removes the contents that no revision names (docs/adr/0012). They were left by a failed
 * transition, dropped by `REVISIONS_KEEP`, or belonged to a removed blog.
 *
 * A content is due when no write can name it any more. If its blog names it, it is kept and is not
 * due again. Otherwise it is removed. Contents of that blog that were kept earlier and are not
 * named any more are removed as well. Every content of a batch is decided on, so that the next
 * batch has other contents.
 *
 * Blogs are read as a majority has them. So a failover cannot bring back an entry that names a
 * removed content. Every step may be repeated, also by another process at the same time.
 */
@Injectable()
export class RevisionSweep implements BackgroundJob, OnModuleInit {
  readonly name = 'revision sweep';
  readonly everyMs = 60_000;

  constructor(
    @InjectConnection(BACKGROUND) private readonly connection: Connection,
    private readonly background: BackgroundService,
  ) {}

  onModuleInit(): void {
    this.background.register(this);
  }

  async isDue(): Promise<boolean> {
    return (await this.nowIfDue()) !== null;
  }

  async run(signal: AbortSignal): Promise<string | null> {
    let removed = 0;
    for (;;) {
      const now = await this.nowIfDue();
      if (now === null || signal.aborted) break;
      const contents = await this.contentsOf(await this.blogsWithDue(now));
      const named = await this.namedBy(contents.map(({ blog }) => blog));
      const isDecidable = ({ sweepAt }: ContentKeys): boolean => !sweepAt || sweepAt <= now;
      const isNamed = ({ _id }: ContentKeys): boolean => named.has(_id.toHexString());
      const decidable = contents.filter(isDecidable);
      removed += await this.remove(decidable.filter((content) => !isNamed(content)));
      await this.keep(decidable.filter((content) => isNamed(content) && content.sweepAt));
    }
    return removed === 0 ? null : `contents without a revision removed: ${removed}`;
  }

  /** @returns the present time by the database's clock if a content is due, else null */
  private async nowIfDue(): Promise<Date | null> {
    const [first] = await this.contents()
      .aggregate<{ readonly now: Date; readonly isDue: boolean }>([
        { $match: HAS_SWEEP_TIME },
        { $sort: SWEEP_INDEX },
        { $limit: 1 },
        { $project: { _id: 0, now: '$$NOW', isDue: { $lte: ['$sweepAt', '$$NOW'] } } },
      ])
      .toArray();
    return first?.isDue ? first.now : null;
  }

  /** @returns the blogs of the contents that have been due for the longest time */
  private async blogsWithDue(now: Date): Promise<Types.ObjectId[]> {
    const due = await this.contents()
      .find({ sweepAt: { ...HAS_SWEEP_TIME.sweepAt, $lte: now } })
      .project<Pick<ContentKeys, 'blog'>>({ blog: 1 })
      .sort(SWEEP_INDEX)
      .limit(BATCH)
      .toArray();
    return distinct(due.map(({ blog }) => blog));
  }

  private async contentsOf(blogs: readonly Types.ObjectId[]): Promise<ContentKeys[]> {
    return this.contents()
      .find({ blog: { $in: blogs } })
      .project<ContentKeys>({ blog: 1, sweepAt: 1 })
      .hint(BLOG_CONTENTS_INDEX)
      .toArray();
  }

  /** @returns the ids of the contents that these blogs name; none for blogs that are gone */
  private async namedBy(blogIds: readonly Types.ObjectId[]): Promise<ReadonlySet<string>> {
    const blogs = await this.database()
      .collection<Blog>('blogs')
      .find({ _id: { $in: distinct(blogIds) } }, { readConcern: { level: 'majority' } })
      .project<{ revisions?: readonly { readonly content: Types.ObjectId }[] }>({
        'revisions.content': 1,
      })
      .toArray();
    const named = blogs.flatMap(({ revisions = [] }) => revisions.map(({ content }) => content));
    return new Set(named.map((content) => content.toHexString()));
  }

  private async remove(contents: readonly ContentKeys[]): Promise<number> {
    if (contents.length === 0) return 0;
    const { deletedCount } = await this.contents().deleteMany(withIds(contents));
    return deletedCount;
  }

  private async keep(contents: readonly ContentKeys[]): Promise<void> {
    if (contents.length === 0) return;
    await this.contents().updateMany(withIds(contents), { $unset: { sweepAt: 1 } });
  }

  private contents(): mongo.Collection<RevisionContent> {
    return this.database().collection('blog_revisions');
  }

  private database(): mongo.Db {
    // The driver's collections are used, because those of Mongoose queue operations while
    // disconnected. Reads go to the primary, because a secondary may be far behind.
    const { name } = this.connection;
    return this.connection.getClient().db(name, { readPreference: 'primary' });
  }
}

function withIds(contents: readonly ContentKeys[]): {
  readonly _id: mongo.Condition<Types.ObjectId>;
} {
  return { _id: { $in: contents.map(({ _id }) => _id) } };
}

function distinct(ids: readonly Types.ObjectId[]): Types.ObjectId[] {
  return [...new Map(ids.map((id) => [id.toHexString(), id])).values()];
}
