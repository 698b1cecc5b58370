import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { atEnd } from '../clean-up.js';

/** A mail that the SMTP server has accepted. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  readonly parsed: Email;
  /** Whether the connection was encrypted. */
  readonly isEncrypted: boolean;
}

export interface SmtpServer {
  /** The URL for SMTP_URL, without credentials. */
  readonly url: string;
  readonly port: number;
  /** The accepted mails, the oldest first. */
  readonly mails: ReceivedMail[];
  /** Set it to change what the server answers to the next recipients: an error, or a promise that never ends. */
  onRecipient: (address: string) => Promise<void> | void;
}

/** Starts an SMTP server on a free port of 127.0.0.1, which is closed after the tests of the file. */
export async function startSmtp(options: SMTPServerOptions = {}): Promise<SmtpServer> {
  const mails: ReceivedMail[] = [];
  const smtp: { onRecipient: SmtpServer['onRecipient'] } = { onRecipient: () => undefined };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onRcptTo: ({ address }, _session, done) => {
      Promise.resolve()
        .then(() => smtp.onRecipient(address))
        .then(() => done(), done);
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const raw = Buffer.concat(chunks).toString();
        void PostalMime.parse(raw).then((parsed) => {
          mails.push({
            from: mailFrom ? mailFrom.address : '',
            to: rcptTo.map(({ address }) => address),
            raw,
            parsed,
            isEncrypted: session.secure,
          });
          done();
        }, done);
      });
    },
    ...options,
  });
  // A client that breaks a connection off is no failure of a test.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  atEnd(() => new Promise<void>((resolve) => server.close(resolve)));
  return Object.assign(smtp, { url: `smtp://127.0.0.1:${port}`, port, mails });
}

/** An error with a status that the SMTP server answers with. */
export function smtpError(responseCode: number, text = 'no'): Error {
  return Object.assign(new Error(text), { responseCode });
}
