import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { EnabledAccounts } from '../../../user/enabled-accounts.service.js';
import { NoticeWaysDto } from './notice-ways.dto.js';
import { toNoticeWaysView, type NoticeWaysView } from './notice-ways.view.js';

/** Serves the ways by which a user hears of notices. */
@Injectable()
export class NoticeWaysService {
  constructor(private readonly accounts: EnabledAccounts) {}

  async get(user: Types.ObjectId): Promise<NoticeWaysView> {
    const [account] = await this.accounts.find([user]);
    return toNoticeWaysView(account?.noticeWays ?? {});
  }

  async change(user: Types.ObjectId, dto: NoticeWaysDto): Promise<NoticeWaysView> {
    await this.accounts.changeNoticeWays(user, dto);
    return this.get(user);
  }
}
