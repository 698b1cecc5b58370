import { Injectable } from '@nestjs/common';
import type { ClientSession, Types } from 'mongoose';
import { MailService } from '../../events/mail/mail.service.js';
import type { NewMail } from '../../events/mail/outbox/mail-outbox.service.js';
import type { OneTimeTokenKind } from './one-time-token-kinds.js';
import type { TokenData } from './one-time-token.schema.js';
import { OneTimeTokens } from './one-time-tokens.service.js';

export interface LinkMail {
  readonly mail: NewMail['kind'];
  readonly token: OneTimeTokenKind;
  readonly to: string;
  /** The owner of the token: an account or a record. */
  readonly owner: Types.ObjectId;
  /** The account that the mail is for, if there is one. */
  readonly user?: Types.ObjectId;
  readonly data?: TokenData;
  readonly values?: NewMail['values'];
}

/** Sends mails whose link has a token that works once. */
@Injectable()
export class LinkMails {
  constructor(
    private readonly tokens: OneTimeTokens,
    private readonly mails: MailService,
  ) {}

  /** @param transaction that of the mail's cause */
  async send(
    { mail, token: kind, to, owner, user, data, values = {} }: LinkMail,
    transaction: ClientSession | null,
  ): Promise<void> {
    const options = { owner, ...(data ? { data } : {}) };
    const token = await this.tokens.issue(kind, options, transaction);
    const linkExpiresAt = this.tokens.endOf(kind);
    await this.mails.enqueue(
      { kind: mail, to, values, token, linkExpiresAt, ...(user ? { user } : {}) },
      transaction,
    );
  }
}
