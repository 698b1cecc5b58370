import { Injectable } from '@nestjs/common';
import type { MailKind } from '../mail-kinds.js';
import type { MailContents } from '../outbox/mail-outbox.service.js';
import type { Mail } from '../outbox/mail.schema.js';

/**
 * Completes a mail at the moment when it is sent. A process may be killed after the call, so it must be possible to
 * repeat it.
 *
 * @returns null if the mail is not to be sent
 */
export type MailComposer = (mail: Mail, stored: MailContents) => Promise<MailContents | null>;

/** The composers of those kinds of mails whose receiver or text is found only when they are sent. */
@Injectable()
export class MailComposers {
  private readonly composers = new Map<MailKind, MailComposer>();

  /** Call it before the application has started, such as in `onModuleInit`. */
  register(kind: MailKind, composer: MailComposer): void {
    this.composers.set(kind, composer);
  }

  async compose(mail: Mail, stored: MailContents): Promise<MailContents | null> {
    const composer = this.composers.get(mail.kind);
    return composer ? composer(mail, stored) : stored;
  }
}
