import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../platform/clock.js';
import { Env } from '../../../platform/config/env.js';
import {
  BackgroundService,
  type BackgroundJob,
} from '../../../platform/jobs/background.service.js';
import { MailService } from '../../mail/mail.service.js';
import { NoticeStore } from '../store/notice-store.service.js';

const DAY_MS = 86_400_000;

/**
 * Stores a digest each day for everybody who got a notice since the last one. What is in it is decided when it is
 * sent. A process may be killed in the middle: the digest of a person and a day is stored once.
 */
@Injectable()
export class NoticeDigest implements BackgroundJob, OnModuleInit {
  readonly name = 'notice digests';
  readonly everyMs = 10_000;

  constructor(
    private readonly store: NoticeStore,
    private readonly mails: MailService,
    private readonly background: BackgroundService,
    private readonly env: Env,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.background.register(this);
  }

  async isDue(): Promise<boolean> {
    const { digestedUntil = new Date(0) } = (await this.store.readState()) ?? {};
    return digestedUntil < this.latestTime();
  }

  async run(signal: AbortSignal): Promise<string | null> {
    const to = this.latestTime();
    const { digestedUntil: from = to } = (await this.store.readState()) ?? {};
    const users = await this.store.usersBetween(from, to);
    for (const user of users) {
      if (signal.aborted) return null;
      const once = `digest ${to.toISOString()} ${user.toHexString()}`;
      const values = { from: from.toISOString(), to: to.toISOString() };
      await this.mails.enqueue({ kind: 'noticeDigest', user, to: '', values, once }, null);
    }
    await this.store.setDigested(to);
    return users.length === 0 ? null : `digests: ${users.length}`;
  }

  /** The latest time of a digest that has passed. */
  private latestTime(): Date {
    const now = this.clock.now();
    const today = new Date(`${now.toISOString().slice(0, 10)}T${this.env.NOTICE_DIGEST_AT}Z`);
    return today <= now ? today : new Date(today.getTime() - DAY_MS);
  }
}
