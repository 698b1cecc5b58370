import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Env } from '../../../platform/config/env.js';
import { EnabledAccounts } from '../../../user/enabled-accounts.service.js';
import type { Mail } from '../../mail/outbox/mail.schema.js';
import { MailComposers } from '../../mail/sending/mail-composers.service.js';
import type { NoticeWay } from '../notice-kinds.js';
import { NoticeWords } from '../notice-words.service.js';
import type { Notice } from '../store/notice.schema.js';
import { NoticeStore } from '../store/notice-store.service.js';

/** Largest number of unread notices of which a digest tells some. */
const UNREAD = 100;

/** Largest number of notices that a digest lists. */
const LISTED = 30;

/** Puts the mails of notices into words when they are sent, if their receivers may still read what they are about. */
@Injectable()
export class NoticeMails implements OnModuleInit {
  constructor(
    private readonly composers: MailComposers,
    private readonly store: NoticeStore,
    private readonly words: NoticeWords,
    private readonly accounts: EnabledAccounts,
    private readonly env: Env,
  ) {}

  onModuleInit(): void {
    this.composers.register('notice', async (mail, stored) => {
      const found = await this.store.find(Number(stored.values['seq']));
      const [notice] = await this.textsOf(mail, 'mail', found ? [found] : []);
      return notice === undefined ? null : { ...stored, values: { notice } };
    });
    this.composers.register('noticeDigest', async (mail, stored) => {
      const [from, to] = [stored.values['from'], stored.values['to']].map((time) => String(time));
      const unread = mail.user ? await this.store.newest(mail.user, UNREAD, { unread: true }) : [];
      const ofDay = unread.filter(({ createdAt }) => isBetween(createdAt, from, to));
      const notices = await this.textsOf(mail, 'digest', ofDay);
      const values = { count: String(notices.length), notices: notices.slice(0, LISTED) };
      return notices.length === 0 ? null : { ...stored, values };
    });
  }

  /** @returns none if the account is disabled, or has not confirmed its address yet */
  private async textsOf(
    { user }: Mail,
    way: NoticeWay,
    notices: readonly Notice[],
  ): Promise<string[]> {
    const [account] = user ? await this.accounts.find([user]) : [];
    const isUnverified = account?.isUnverified && this.env.EMAIL_VERIFICATION === 'on';
    if (!account || isUnverified) return [];
    const word = await this.words.prepare(notices);
    return notices.flatMap((notice) => word(notice, { ...account, way })?.text ?? []);
  }
}

function isBetween(time: Date, from = '', to = ''): boolean {
  return time > new Date(from) && time <= new Date(to);
}
