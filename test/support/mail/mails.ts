import { MailSender } from '../../../src/events/mail/sending/mail-sender.job.js';
import type { ReceivedMail, SmtpServer } from './smtp-server.js';
import type { TestApp } from '../start-app.js';

/** Sends the mails that are due, as the background job does. */
export async function sendMails({ app }: Pick<TestApp, 'app'>): Promise<void> {
  await app.get(MailSender).run(new AbortController().signal);
}

/** Sends what is due, and returns the newest mail to an address. @throws Error if there is none */
export async function mailTo(
  server: Pick<TestApp, 'app'>,
  { mails }: Pick<SmtpServer, 'mails'>,
  address: string,
): Promise<ReceivedMail> {
  await sendMails(server);
  const mail = mails.findLast(({ to }) => to.includes(address));
  if (!mail) throw new Error(`no mail has arrived for ${address}`);
  return mail;
}

/** The token in the link of a mail. @throws Error if the mail has no link */
export function tokenIn({ parsed }: Pick<ReceivedMail, 'parsed'>): string {
  const [, token] = /#\w+=([\w-]{43})\b/.exec(parsed.text ?? '') ?? [];
  if (token === undefined) throw new Error(`the mail has no link: ${parsed.text}`);
  return token;
}
