import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import pLimit from 'p-limit';
import { Clock } from '../../../platform/clock.js';
import {
  BackgroundService,
  type BackgroundJob,
} from '../../../platform/jobs/background.service.js';
import { UserService } from '../../../user/user.service.js';
import { MailLinks } from './mail-links.service.js';
import type { MailContents } from '../outbox/mail-outbox.service.js';
import { MailOutbox } from '../outbox/mail-outbox.service.js';
import type { Mail } from '../outbox/mail.schema.js';
import { MailComposers } from './mail-composers.service.js';
import { MailTexts } from '../texts/mail-texts.service.js';
import { MailTransport } from './mail-transport.service.js';
import { failureOf } from './sending-failure.js';

/** The name of the job. */
const MAIL_SENDER = 'mail sender';

/** Number of mails that are read at a time. */
const BATCH = 50;

/** Number of connections to the SMTP server at a time. */
const CONNECTIONS = 3;

/**
 * Sends the mails of the outbox. One process at a time runs this job. A mail waits until the acceptance by the
 * SMTP server is stored, so every mail is sent at least once; it is sent twice only if the process dies
 * between the two, and then with the same Message-ID.
 */
@Injectable()
export class MailSender implements BackgroundJob, OnModuleInit {
  readonly name = MAIL_SENDER;
  readonly everyMs = 1_000;
  readonly retryMs = 5_000;
  /** Number of mails by outcome, since the start; `failed` counts attempts that are repeated. */
  readonly outcomes = { sent: 0, failed: 0, givenUp: 0, expired: 0 };
  private readonly logger = new Logger(MailSender.name);

  constructor(
    private readonly outbox: MailOutbox,
    private readonly composers: MailComposers,
    private readonly links: MailLinks,
    private readonly texts: MailTexts,
    private readonly transport: MailTransport,
    private readonly users: UserService,
    private readonly background: BackgroundService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.background.register(this);
  }

  isDue(): Promise<boolean> {
    return this.outbox.isDue();
  }

  async run(signal: AbortSignal): Promise<string | null> {
    const limit = pLimit(CONNECTIONS);
    while (!signal.aborted) {
      const due = await this.outbox.due(BATCH);
      if (due.length === 0) break;
      const sending: Promise<void>[] = [];
      for (const mail of due) {
        if (signal.aborted) break;
        // Mails are composed one after another, so that two mails to one account see each other.
        const contents = await this.contentsOf(mail);
        if (contents) sending.push(limit(() => this.send(mail, contents, signal)));
      }
      await Promise.all(sending);
    }
    return null;
  }

  /** @returns null for a mail that is not to be sent, which has been stored then */
  private async contentsOf(mail: Mail): Promise<MailContents | null> {
    if (mail.linkExpiresAt && mail.linkExpiresAt <= this.clock.now()) {
      await this.outbox.recordExpired(mail);
      this.outcomes.expired += 1;
      return null;
    }
    const stored = this.outbox.open(mail);
    if (!stored) {
      await this.fail(mail, { codes: 'unknown signing key', isFinal: true });
      return null;
    }
    const contents = await this.composers.compose(mail, stored);
    const to = contents?.to || (await this.addressOf(mail));
    if (contents && to !== null) return { ...contents, to };
    await this.outbox.drop(mail);
    return null;
  }

  private async addressOf({ user }: Mail): Promise<string | null> {
    const account = user && (await this.users.findCredentials({ _id: user }));
    return account?.email ?? null;
  }

  private async send(
    mail: Mail,
    { to, values, token }: MailContents,
    signal: AbortSignal,
  ): Promise<void> {
    if (signal.aborted) return;
    const link = this.links.linkOf(mail.kind, token);
    const rendered = this.texts.render(mail.kind, link, values);
    try {
      await this.transport.send({ ...rendered, to, id: mail._id.toHexString() });
    } catch (error) {
      await this.fail(mail, failureOf(error));
      return;
    }
    await this.outbox.recordSent(mail);
    this.outcomes.sent += 1;
  }

  private async fail(mail: Mail, failure: ReturnType<typeof failureOf>): Promise<void> {
    const isGivenUp = await this.outbox.recordFailure(mail, failure);
    this.outcomes[isGivenUp ? 'givenUp' : 'failed'] += 1;
    if (!isGivenUp) return;
    this.logger.warn(
      `the mail ${mail._id.toHexString()} (${mail.kind}) is given up: ${failure.codes}`,
    );
  }
}
