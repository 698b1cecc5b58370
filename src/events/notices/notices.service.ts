import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import type { Caller } from '../../platform/http/access/current-user.decorator.js';
import { Listing } from '../../platform/http/pagination/listing.js';
import { EnabledAccounts } from '../../user/enabled-accounts.service.js';
import { NoticeQuery } from './dto/notice-query.dto.js';
import { ReadNoticesDto } from './dto/read-notices.dto.js';
import { NoticeWords } from './notice-words.service.js';
import type { NoticeView } from './notice.view.js';
import type { Notice } from './store/notice.schema.js';
import { NoticeStore } from './store/notice-store.service.js';

/** Largest number of unread notices that are counted. */
const COUNTED = 100;

/** Serves the notices of a user. */
@Injectable()
export class NoticesService {
  constructor(
    private readonly store: NoticeStore,
    private readonly words: NoticeWords,
    private readonly accounts: EnabledAccounts,
  ) {}

  /**
   * A page of the caller's notices, newest first. It lacks those whose subject the caller may not read any more, so
   * that it may be shorter than `limit`.
   */
  async list(
    { userId, roles }: Caller,
    { unread: which, cursor: before, limit }: NoticeQuery,
  ): Promise<Listing<NoticeView>> {
    const unread = which === 'true';
    const [account] = await this.accounts.find([userId]);
    const reader = { userId, roles, noticeWays: account?.noticeWays ?? {}, way: 'desk' as const };
    const found = await this.store.newest(userId, limit + 1, { unread, before });
    const counted = unread ? await this.store.newest(userId, COUNTED, { unread }) : [];
    const word = await this.words.prepare([...found, ...counted]);
    const shown = (notices: readonly Notice[]): NoticeView[] =>
      notices.flatMap((notice) => word(notice, reader) ?? []);
    const page = found.slice(0, limit);
    const end = found.length > limit ? String(page.at(-1)?._id) : null;
    const total = unread ? shown(counted).length : undefined;
    return new Listing(shown(page), limit, end, total, unread ? { unread: 'true' } : {});
  }

  /** Marks notices of the user as read: these, or all. */
  async markRead(user: Types.ObjectId, { seqs }: ReadNoticesDto): Promise<void> {
    await this.store.markRead(user, seqs);
  }
}
