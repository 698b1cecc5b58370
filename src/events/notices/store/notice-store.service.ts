import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { ClientSession, Model, Types } from 'mongoose';
import { Clock } from '../../../platform/clock.js';
import { inTransaction } from '../../../platform/database/transaction-option.js';
import { NEWEST_FIRST, Notice, NOTICE_INDEXES } from './notice.schema.js';
import { NOTICE_STATE, NoticeState } from './notice-state.schema.js';

export type NewNotice = Pick<Notice, 'user' | 'kind' | 'cause' | 'by' | 'blog' | 'comment'>;

/** Stores notices in one order: whoever has seen a number finds every later notice above it. */
@Injectable()
export class NoticeStore {
  constructor(
    @InjectModel(Notice.name) private readonly notices: Model<Notice>,
    @InjectModel(NoticeState.name) private readonly state: Model<NoticeState>,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores those notices that are not stored yet.
   *
   * @param transaction all transactions write the same record of the last number, so the numbers become visible in
   *   their order; a standalone MongoDB does not promise it
   * @returns the new notices
   */
  async add(wanted: readonly NewNotice[], transaction: ClientSession | null): Promise<Notice[]> {
    const options = inTransaction(transaction);
    const causes = [...new Set(wanted.map(({ cause }) => cause))];
    const stored = await this.notices
      .find({ cause: { $in: causes } }, null, options)
      .select(['cause', 'user'])
      .lean<Notice[]>();
    const fresh = wanted.filter(
      ({ cause, user }) => !stored.some((old) => old.cause === cause && old.user.equals(user)),
    );
    if (fresh.length === 0) return [];
    const createdAt = this.clock.now();
    // The time hides how many notices others got, and is above the numbers in a backup that was restored.
    const above = { $max: ['$lastSeq', createdAt.getTime()] };
    const { lastSeq = 0 } = await this.state
      .findOneAndUpdate(
        { _id: NOTICE_STATE },
        [{ $set: { lastSeq: { $add: [above, fresh.length] } } }],
        { upsert: true, returnDocument: 'after', updatePipeline: true, ...options },
      )
      .lean<NoticeState>();
    const added = fresh.map((notice, index) => ({
      ...notice,
      _id: lastSeq - fresh.length + 1 + index,
      createdAt,
      unread: true as const,
    }));
    await this.notices.insertMany(added, options);
    return added;
  }

  /** The number of the newest notice. A majority has it. */
  async lastSeq(): Promise<number> {
    return (await this.readState())?.lastSeq ?? 0;
  }

  async readState(): Promise<NoticeState | null> {
    return this.state
      .findOne({ _id: NOTICE_STATE })
      .read('primary')
      .readConcern('majority')
      .lean<NoticeState | null>();
  }

  async setDigested(digestedUntil: Date): Promise<void> {
    await this.state.updateOne(
      { _id: NOTICE_STATE },
      { $set: { digestedUntil } },
      { upsert: true },
    );
  }

  /**
   * The notices after a number, in order. A majority has each of them.
   *
   * @param only the user, and the number of the last one; all users when left out
   */
  async after(
    seq: number,
    limit: number,
    only?: { readonly user: Types.ObjectId; readonly last: number },
  ): Promise<Notice[]> {
    const filter = only
      ? { user: only.user, _id: { $gt: seq, $lte: only.last } }
      : { _id: { $gt: seq } };
    return this.notices
      .find(filter)
      .sort({ _id: 1 })
      .hint(only ? NOTICE_INDEXES.all : { _id: 1 })
      .limit(limit)
      .read('primary')
      .readConcern('majority')
      .lean<Notice[]>();
  }

  /** A user's notices, newest first. @param before only those with a lower number */
  async newest(
    user: Types.ObjectId,
    limit: number,
    { unread = false, before }: { unread?: boolean; before?: number | undefined } = {},
  ): Promise<Notice[]> {
    const earlier = before === undefined ? {} : { _id: { $lt: before } };
    return this.notices
      .find({ user, ...(unread ? { unread: true } : {}), ...earlier })
      .sort(NEWEST_FIRST)
      .hint(NOTICE_INDEXES[unread ? 'unread' : 'all'])
      .limit(limit)
      .read('primary')
      .lean<Notice[]>();
  }

  async find(seq: number): Promise<Notice | null> {
    return this.notices.findOne({ _id: seq }).read('primary').lean<Notice | null>();
  }

  /** Everybody who got a notice in this time, once. */
  async usersBetween(from: Date, to: Date): Promise<Types.ObjectId[]> {
    const users = new Map<string, Types.ObjectId>();
    const notices = this.notices
      .find({ createdAt: { $gt: from, $lte: to } }, { user: 1, createdAt: 1 })
      .read('primary')
      .lean<Notice[]>()
      .cursor();
    for await (const { user } of notices) users.set(user.toHexString(), user);
    return [...users.values()];
  }

  /** @param seqs all notices of the user when left out */
  async markRead(user: Types.ObjectId, seqs?: readonly number[]): Promise<void> {
    await this.notices
      .updateMany(
        { user, unread: true, ...(seqs ? { _id: { $in: seqs } } : {}) },
        { $unset: { unread: 1 } },
      )
      .hint(NOTICE_INDEXES.unread);
  }

  /** Removes the notices of an account that is deleted. */
  async removeOf(user: Types.ObjectId, transaction: ClientSession | null): Promise<void> {
    await this.notices.deleteMany({ user }, inTransaction(transaction));
  }
}
