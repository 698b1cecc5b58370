import type { Env } from '../platform/config/env.js';
import { CREDENTIALS_FILE, type Credentials } from '../admin/credentials.js';
import type { Preparation } from './setup/setup.service.js';
import { hasStartLink, makeStartLink } from './setup/start-link.js';

/**
 * The text that a start prints to stdout: the URL, a new link that opens the start page, the credentials
 * if this start has generated them, and which are missing. Empty in production, where stdout is the JSON
 * log, which also contains the URL.
 *
 * @param url the server's URL as Nest returns it, such as `http://127.0.0.1:3000`
 */
export async function welcomeText(
  url: string,
  env: Env,
  { isReady, credentials, missing }: Preparation,
): Promise<string> {
  if (env.NODE_ENV === 'production') return '';
  const docsLine = env.DOCS === 'on' ? `  Docs            ${url}/docs\n` : '';
  const startLine = hasStartLink(env)
    ? `  Open, once      ${await makeStartLink(env.DATA_DIR, url)}\n`
    : '';
  const file = `${env.DATA_DIR}/${CREDENTIALS_FILE}`;
  const state = isReady ? 'ready' : 'not ready, run "npm run migrate",';
  if (typeof credentials === 'string') {
    const credentialsLine = credentials === 'kept' ? `  Credentials     ${file}\n` : '';
    const missingLine =
      missing.length > 0
        ? `  Missing         ${missing.join(', ')}: run "npx pressroom seed"\n`
        : '';
    return `\nPressroom is ${state} at ${url}\n${startLine}${docsLine}${credentialsLine}${missingLine}\n`;
  }
  return `
Pressroom is ${state.replace(/,$/, '')}. This is shown once; it is kept in ${file}.

  Address         ${url}
${startLine}${docsLine}  API key         ${credentials.apiKey}
${adminLines(credentials)}
Try it:

  curl -s ${url}/blogs/latest -H 'x-api-key: ${credentials.apiKey}'
  npx pressroom --help

`;
}

function adminLines({ adminEmail, adminPassword }: Credentials): string {
  if (adminEmail !== '' && adminPassword !== '') {
    return `  Admin           ${adminEmail}\n  Password        ${adminPassword}\n`;
  }
  return `  Admin           as before: "npx pressroom users list --role ADMIN" shows the address,
                  "npx pressroom users password EMAIL" sets a new password\n`;
}
