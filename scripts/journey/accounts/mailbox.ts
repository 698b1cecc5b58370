import { setTimeout as wait } from 'node:timers/promises';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

const DEADLINE_MS = 20_000;

/** Receives the mails of the server, which has `SMTP_URL=smtp://127.0.0.1:<port>`. */
export class Mailbox {
  readonly #mails: Email[] = [];
  readonly #server: SMTPServer;

  private constructor() {
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      disableReverseLookup: true,
      onData: (stream, _session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
            this.#mails.push(mail);
            done();
          }, done);
        });
      },
    });
    // A client that breaks a connection off is no failure of the journey.
    this.#server.on('error', () => undefined);
  }

  static async open(port: number): Promise<Mailbox> {
    const mailbox = new Mailbox();
    await new Promise<void>((resolve) => mailbox.#server.listen(port, '127.0.0.1', resolve));
    return mailbox;
  }

  /** Waits for a mail to an address. @returns the newest one with the word in its subject; null if none arrives in time */
  async find(address: string, word: string, deadlineMs = DEADLINE_MS): Promise<Email | null> {
    const deadline = Date.now() + deadlineMs;
    while (Date.now() < deadline) {
      const found = this.#mails.findLast(
        ({ to, subject }) => to?.some((one) => one.address === address) && subject?.includes(word),
      );
      if (found) return found;
      await wait(100);
    }
    return null;
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(resolve));
  }
}

/** The token in the link of a mail; empty if there is none. */
export function tokenIn(mail: Email | null): string {
  return /#\w+=([\w-]{43})\b/.exec(mail?.text ?? '')?.[1] ?? '';
}
