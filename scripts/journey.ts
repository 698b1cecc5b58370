import { parseArgs } from 'node:util';
import { Client, ServerUnreachableError } from './journey/client.ts';
import { readCredentials, readUrl } from './journey/credentials.ts';
import { Recorder } from './journey/recorder.ts';
import { runJourney } from './journey/run.ts';
import { readState, writeState } from './journey/state.ts';
import { verifyJourney } from './journey/verify.ts';
import { readArticles, SAMPLE_ARTICLES } from './support/articles.ts';
import { messageOf, UserError } from './support/user-error.ts';

const USAGE = `usage: npm run journey -- [options]

  --url URL               default: that of the server on DATA_DIR (.data), else 127.0.0.1 with PORT (3000)
  --articles FILE         NDJSON: title, description, slug, tags, html (scripts/support/articles.ndjson)
  --api-key KEY           default: API_KEY, else credentials.json in DATA_DIR (.data)
  --admin-email ADDRESS   default: ADMIN_EMAIL, else the same file
  --admin-password WORD   default: ADMIN_PASSWORD, else the same file
  --smtp PORT             also try what needs mail: listens here, for a server with
                          SMTP_URL=smtp://127.0.0.1:PORT and MAIL_FROM
  --digest-at HH:MM       also wait for the daily mail of a server with this NOTICE_DIGEST_AT
  --state FILE            note what was written, for --verify
  --verify FILE           write nothing: read back what an earlier run noted
`;

const OPTIONS = {
  url: { type: 'string' },
  articles: { type: 'string', default: SAMPLE_ARTICLES },
  'api-key': { type: 'string' },
  'admin-email': { type: 'string' },
  'admin-password': { type: 'string' },
  smtp: { type: 'string' },
  'digest-at': { type: 'string' },
  state: { type: 'string' },
  verify: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

/** Prints a message, without a stack, and exits. */
function exitWith(message: string, code = 64): never {
  console.error(message);
  process.exit(code);
}

function readOptions() {
  try {
    return parseArgs({ options: OPTIONS }).values;
  } catch (error) {
    return exitWith(`${messageOf(error)}\n\n${USAGE}`);
  }
}

const options = readOptions();
if (options.help) exitWith(USAGE, 0);

const recorder = new Recorder();
try {
  const url = readUrl(options.url);
  const credentials = readCredentials(options);
  const client = new Client({ url, apiKey: credentials.apiKey, recorder });
  if (options.verify) {
    await verifyJourney({ client, recorder, credentials, state: readState(options.verify) });
  } else {
    const articles = readArticles(options.articles);
    console.log(`${articles.length} articles of ${options.articles} to ${url}`);
    // Loaded here, because the libraries are development dependencies.
    const { Mailbox } = await import('./journey/accounts/mailbox.ts');
    const mailbox = options.smtp === undefined ? null : await Mailbox.open(Number(options.smtp));
    const digestAt = options['digest-at'];
    const state = await runJourney({ client, recorder, credentials, articles, mailbox, digestAt });
    await mailbox?.close();
    if (options.state) writeState(options.state, state);
  }
} catch (error) {
  if (error instanceof ServerUnreachableError) {
    if (recorder.passed === 0) {
      exitWith(`No server answers (${error.message}): start one, or pass its URL as --url.`, 1);
    }
    recorder.fail('reach the server', error.message);
  } else if (error instanceof UserError) exitWith(error.message);
  else throw error;
}
console.log(recorder.report());
process.exitCode = recorder.failed > 0 ? 1 : 0;
