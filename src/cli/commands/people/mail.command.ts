import type { Command } from 'commander';
import { MailTexts } from '../../../events/mail/texts/mail-texts.service.js';
import { failureOf } from '../../../events/mail/sending/sending-failure.js';
import { MailTransport } from '../../../events/mail/sending/mail-transport.service.js';
import { OperatorError } from '../../../platform/config/operator.error.js';
import { addExamples } from '../../command-line/examples.js';
import { printResult } from '../../command-line/output.js';
import { withApp } from '../../command-line/with-app.js';

/** Adds `pressroom mail test`, which sends a mail at once, without the outbox. */
export function addMailCommand(program: Command): void {
  const mail = program.command('mail').description('check that mail can be sent');
  const test = mail
    .command('test')
    .description('send a test mail')
    .argument('<address>')
    .action(async (to: string, _options: unknown, command: Command) => {
      await withApp(async (app) => {
        const transport = app.get(MailTransport);
        if (!transport.hasServer) {
          throw new OperatorError('SMTP_URL is not set: set it, and MAIL_FROM (docs/people.md).');
        }
        const rendered = app.get(MailTexts).render('test', undefined, {});
        try {
          await transport.send({ ...rendered, to, id: `test-${Date.now()}` });
        } catch (error) {
          throw new OperatorError(
            `The SMTP server has not taken the mail (${failureOf(error).codes}): check SMTP_URL and MAIL_FROM.`,
            { cause: error },
          );
        }
      });
      printResult(command, { to }, [`Sent to ${to}.`]);
    });
  addExamples(test, 'mail test you@example.org');
}
