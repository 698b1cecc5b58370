import { parseArgs } from 'node:util';
import { readArticles } from './journey/articles.mjs';
import { Client, ServerUnreachableError } from './journey/client.mjs';
import { readCredentials } from './journey/credentials.mjs';
import { Recorder } from './journey/recorder.mjs';
import { runJourney } from './journey/run.mjs';
import { readState, writeState } from './journey/state.mjs';
import { verifyJourney } from './journey/verify.mjs';

const USAGE = `usage: npm run journey -- [options]

  --url URL               the server (http://127.0.0.1:3000)
  --articles FILE         NDJSON: title, description, slug, tags, html (scripts/journey/articles.ndjson)
  --api-key KEY           else API_KEY, else credentials.json in DATA_DIR (.data)
  --admin-email ADDRESS   else ADMIN_EMAIL, else the same file
  --admin-password WORD   else ADMIN_PASSWORD, else the same file
  --state FILE            note what was written, for --verify
  --verify FILE           write nothing: read back what an earlier run noted
`;

/** Ends with words, without a stack: the message is for whoever typed the command. */
function refuse(message, code = 64) {
  console.error(message);
  process.exit(code);
}

function readOptions() {
  const text = (value) => ({ type: 'string', ...(value ? { default: value } : {}) });
  try {
    return parseArgs({
      options: {
        url: text('http://127.0.0.1:3000'),
        articles: text(new URL('journey/articles.ndjson', import.meta.url).pathname),
        'api-key': text(),
        'admin-email': text(),
        'admin-password': text(),
        state: text(),
        verify: text(),
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    return refuse(`${error.message}\n\n${USAGE}`);
  }
}

const options = readOptions();
if (options.help) refuse(USAGE, 0);

const recorder = new Recorder();
try {
  const url = options.url.replace(/\/+$/, '');
  const credentials = readCredentials(options);
  const client = new Client({ url, apiKey: credentials.apiKey, recorder });
  if (options.verify) {
    await verifyJourney({ client, recorder, credentials, state: readState(options.verify) });
  } else {
    const articles = readArticles(options.articles);
    console.log(`${articles.length} articles of ${options.articles} to ${url}`);
    const state = await runJourney({ client, recorder, credentials, articles });
    if (options.state) writeState(options.state, state);
  }
} catch (error) {
  if (error instanceof ServerUnreachableError) recorder.fail('reach the server', error.message);
  else if (error.isForUser) refuse(error.message);
  else throw error;
}
console.log(recorder.report());
process.exitCode = recorder.failed > 0 ? 1 : 0;
