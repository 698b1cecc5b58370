import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import ms from 'ms';
import { Types, type ClientSession, type Model } from 'mongoose';
import { SecretBox } from '../../../auth/keys/secret-box.service.js';
import { Clock } from '../../../platform/clock.js';
import { inTransaction } from '../../../platform/database/transaction-option.js';
import { nextAttempt, type RetryPlan } from '../../../platform/jobs/retry-times.js';
import type { MailKind } from '../mail-kinds.js';
import type { SendingFailure } from '../sending/sending-failure.js';
import type { MailValue } from '../texts/mail-template.js';
import { DUE_INDEX, Mail, type MailState } from './mail.schema.js';

const RETRIES: RetryPlan = {
  pauses: [ms('10s'), ms('1m'), ms('5m'), ms('30m'), ms('2h'), ms('6h')],
  givenUpAfter: ms('2d'),
};

/** What a mail is made of. It is kept sealed in the outbox. */
export interface MailContents {
  /** The address of the receiver; empty for the address that the account has when the mail is sent. */
  readonly to: string;
  /** The values of the placeholders of the text. */
  readonly values: Readonly<Record<string, MailValue>>;
  /** The token of the link. */
  readonly token?: string;
}

export interface NewMail extends MailContents {
  readonly kind: MailKind;
  readonly user?: Types.ObjectId;
  readonly linkExpiresAt?: Date;
  /** A text that identifies the mail: while the outbox has it, no second one with the same text is stored. */
  readonly once?: string;
}

/** Number of hexadecimal characters of an id. */
const ID_LENGTH = 24;

/** Stores mails that are to be sent, and what became of them. */
@Injectable()
export class MailOutbox {
  constructor(
    @InjectModel(Mail.name) private readonly mails: Model<Mail>,
    private readonly box: SecretBox,
    private readonly clock: Clock,
  ) {}

  /** @param transaction that of the mail's cause, so that neither is stored without the other */
  async add(
    { kind, user, linkExpiresAt, once, ...contents }: NewMail,
    transaction: ClientSession | null,
  ): Promise<void> {
    const now = this.clock.now();
    const mail = {
      kind,
      state: 'waiting' as const,
      contents: this.box.seal(JSON.stringify(contents satisfies MailContents)),
      createdAt: now,
      attempts: 0,
      nextAt: now,
      ...(user ? { user } : {}),
      ...(linkExpiresAt ? { linkExpiresAt } : {}),
    };
    const _id =
      once === undefined
        ? new Types.ObjectId()
        : new Types.ObjectId(hash('sha256', once).slice(0, ID_LENGTH));
    const options = { upsert: true, ...inTransaction(transaction) };
    await this.mails.updateOne({ _id }, { $setOnInsert: mail }, options);
  }

  async isDue(): Promise<boolean> {
    return (await this.due(1)).length > 0;
  }

  /** The mails whose time has come, the longest due first. */
  async due(limit: number): Promise<Mail[]> {
    return this.mails
      .find({ nextAt: { $gt: new Date(0), $lte: this.clock.now() } })
      .sort(DUE_INDEX)
      .hint(DUE_INDEX)
      .limit(limit)
      .read('primary')
      .lean<Mail[]>();
  }

  /** @returns null when the signing key is no longer configured under which the contents were sealed */
  open({ contents }: Mail): MailContents | null {
    const text = contents ? this.box.open(contents) : null;
    return text === null ? null : (JSON.parse(text) as MailContents);
  }

  /**
   * Stores a failed attempt, and when the next one is.
   *
   * @returns whether the mail is given up
   */
  async recordFailure(mail: Mail, { codes, isFinal }: SendingFailure): Promise<boolean> {
    const now = this.clock.now();
    const firstAt = mail.firstAt ?? now;
    const attempts = mail.attempts + 1;
    const next = isFinal ? null : nextAttempt(RETRIES, { firstAt, attempts }, now);
    const failure = { firstAt, attempts, error: codes };
    if (next) await this.update(mail, { ...failure, nextAt: next });
    else await this.end(mail, 'given up', failure);
    return next === null;
  }

  async recordSent(mail: Mail): Promise<void> {
    const now = this.clock.now();
    const attempts = mail.attempts + 1;
    await this.end(mail, 'sent', { firstAt: mail.firstAt ?? now, attempts, sentAt: now });
  }

  async recordExpired(mail: Mail): Promise<void> {
    await this.end(mail, 'expired', {});
  }

  /** Removes a mail that need not be sent, such as one to an address that no account has. */
  async drop({ _id }: Mail): Promise<void> {
    await this.mails.deleteOne({ _id });
  }

  /** Removes the mails of an account that are not sent yet. */
  async removeUnsent(user: Types.ObjectId, transaction: ClientSession | null): Promise<void> {
    await this.mails.deleteMany({ user, state: 'waiting' }, inTransaction(transaction));
  }

  /** Ends a mail and erases its contents. */
  private async end(mail: Mail, state: MailState, fields: Partial<Mail>): Promise<void> {
    await this.mails.updateOne(isStill(mail), {
      $set: { ...fields, state },
      $unset: { nextAt: 1, contents: 1 },
    });
  }

  private async update(mail: Mail, fields: Partial<Mail>): Promise<void> {
    await this.mails.updateOne(isStill(mail), { $set: fields });
  }
}

/** Selects the mail unless another process has sent it since it was read. */
function isStill({ _id, nextAt }: Mail): object {
  return { _id, nextAt: nextAt ?? null };
}
