import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Transporter } from 'nodemailer';
import { Env } from '../../../platform/config/env.js';
import { parseSender } from '../../../platform/config/people/mail.decorators.js';
import type { RenderedMail } from '../texts/mail-template.js';

export interface OutgoingMail extends RenderedMail {
  readonly to: string;
  /** An id that stays the same when the mail is sent again. */
  readonly id: string;
}

/** Longest time in milliseconds that the SMTP server may take to accept a connection, and to answer a command. */
const CONNECT_MS = 10_000;
const ANSWER_MS = 20_000;

/** Hands mails to the SMTP server of `SMTP_URL`. Without one, outside production, it prints them in the log. */
@Injectable()
export class MailTransport implements OnApplicationShutdown {
  private readonly logger = new Logger('Mail');
  private transporter: Promise<Transporter> | null = null;

  constructor(private readonly env: Env) {}

  /** Whether mails go to an SMTP server. */
  get hasServer(): boolean {
    return this.env.SMTP_URL !== undefined;
  }

  /** @throws the error of nodemailer, for `failureOf`; a mail that was sent may have been accepted nevertheless */
  async send({ id, to, subject, text, html }: OutgoingMail): Promise<void> {
    if (!this.hasServer) {
      // The log has no line breaks, so each line of the mail is one of the log.
      const lines = ['SMTP_URL is not set, so this mail is only shown here:', `To: ${to}`];
      for (const line of [...lines, `Subject: ${subject}`, ...text.split('\n')]) {
        if (line !== '') this.logger.log(line);
      }
      return;
    }
    const from = parseSender(this.env.MAIL_FROM ?? '');
    const transporter = await this.open();
    await transporter.sendMail({
      from,
      to: { name: '', address: to },
      subject,
      text,
      html,
      messageId: `<${id}@${from.address.split('@')[1] ?? 'localhost'}>`,
      // Servers that answer automatically do not answer such a mail (RFC 3834, section 5).
      headers: { 'Auto-Submitted': 'auto-generated' },
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  /** Connects, and signs in if `SMTP_URL` has credentials. @throws the error of nodemailer */
  async verify(): Promise<void> {
    await (await this.open()).verify();
  }

  async onApplicationShutdown(): Promise<void> {
    (await this.transporter)?.close();
  }

  /** nodemailer is loaded with the first mail, because a server without mail does not need it. */
  private open(): Promise<Transporter> {
    this.transporter ??= import('nodemailer').then(({ createTransport }) => {
      const url = this.env.SMTP_URL ?? '';
      return createTransport({
        url,
        connectionTimeout: CONNECT_MS,
        greetingTimeout: CONNECT_MS,
        dnsTimeout: CONNECT_MS,
        socketTimeout: ANSWER_MS,
        // Parameters of the URL win, so an operator can switch this off.
        requireTLS: !isLoopback(url),
      } as Parameters<typeof createTransport>[0]);
    });
    return this.transporter;
  }
}

function isLoopback(url: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(URL.parse(url)?.hostname ?? '');
}
