import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { ClientSession, Model, Types } from 'mongoose';
import { Env } from '../../platform/config/env.js';
import { skipOf } from '../../platform/http/pagination/page-query.dto.js';
import type { MailKind } from './mail-kinds.js';
import { MailQuery } from './mail-query.dto.js';
import { MailNotConfiguredError } from './mail.errors.js';
import { toMailView, type MailView } from './mail.view.js';
import { MailOutbox, type NewMail } from './outbox/mail-outbox.service.js';
import { Mail } from './outbox/mail.schema.js';

/** Lets features send mails, and admins see what became of them. */
@Injectable()
export class MailService {
  constructor(
    @InjectModel(Mail.name) private readonly mails: Model<Mail>,
    private readonly outbox: MailOutbox,
    private readonly env: Env,
  ) {}

  /** Whether mails can be sent, or outside production be printed in the log. */
  get isAvailable(): boolean {
    return this.env.SMTP_URL !== undefined || this.env.NODE_ENV !== 'production';
  }

  /** Call it first in an operation that is useless without mail. @throws MailNotConfiguredError */
  demand(): void {
    if (!this.isAvailable) throw new MailNotConfiguredError();
  }

  /**
   * Stores a mail, which the mail sender sends within seconds. Without an SMTP server in production it does nothing.
   *
   * @param transaction that of the mail's cause, so that neither is stored without the other
   */
  async enqueue(mail: NewMail, transaction: ClientSession | null): Promise<void> {
    if (this.isAvailable) await this.outbox.add(mail, transaction);
  }

  /** Tells the owner of an account something, at the address that the account has when the mail is sent. */
  async tell(
    kind: MailKind,
    user: Types.ObjectId,
    transaction: ClientSession | null,
    values: NewMail['values'] = {},
  ): Promise<void> {
    await this.enqueue({ kind, user, to: '', values }, transaction);
  }

  /** A page of the mails of the last seven days, newest first. */
  async list({ state, ...page }: MailQuery): Promise<MailView[]> {
    const mails = await this.mails
      .find(state === undefined ? {} : { state })
      .sort({ createdAt: -1, _id: -1 })
      .skip(skipOf(page))
      .limit(page.limit)
      .read('primary')
      .lean<Mail[]>();
    return mails.map(toMailView);
  }
}
