// An SMTP server in a process of its own, which a test can kill: node smtp-process.mjs <port> <file>.
// It accepts every mail, and first adds its receiver and its Message-ID to the file, as a line of JSON.
import { appendFileSync } from 'node:fs';
import { SMTPServer } from 'smtp-server';

const [port, file] = process.argv.slice(2);
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  disableReverseLookup: true,
  onData: (stream, { envelope }, done) => {
    let text = '';
    stream.on('data', (chunk) => (text += chunk));
    stream.on('end', () => {
      const [, id] = /^Message-ID: (.*)\r$/im.exec(text) ?? [];
      appendFileSync(file, `${JSON.stringify({ to: envelope.rcptTo[0].address, id })}\n`);
      done();
    });
  },
});
server.on('error', () => undefined);
server.listen(Number(port), '127.0.0.1', () => {
  process.stdout.write(`smtp://127.0.0.1:${server.server.address().port}\n`);
});
