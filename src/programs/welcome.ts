import type { Env } from '../config/env.js';
import { CREDENTIALS_FILE } from '../setup/credentials.js';
import type { Preparation } from '../setup/setup.service.js';

/**
 * What a start says on its standard output: the address, and at the very first start of an
 * embedded database what is needed to use it. Nothing in production, where the log is JSON and
 * says where the server listens.
 *
 * @param url as Nest reports it, such as `http://127.0.0.1:3000`
 */
export function welcomeText(url: string, env: Env, { isReady, credentials }: Preparation): string {
  if (env.NODE_ENV === 'production') return '';
  const docs = env.DOCS === 'on' ? `  Docs            ${url}/docs\n` : '';
  const file = `${env.DATA_DIR}/${CREDENTIALS_FILE}`;
  const state = isReady ? 'ready' : 'not ready, run "npm run migrate",';
  if (typeof credentials === 'string') {
    const kept = credentials === 'kept' ? `  Credentials     ${file}\n` : '';
    return `\nPressroom is ${state} at ${url}\n${docs}${kept}\n`;
  }
  return `
Pressroom is ${state.replace(/,$/, '')}. This is shown once; it is kept in ${file}.

  Address         ${url}
${docs}  API key         ${credentials.apiKey}
  Admin           ${credentials.adminEmail}
  Password        ${credentials.adminPassword}

Try it:

  curl -s ${url}/blogs/latest -H 'x-api-key: ${credentials.apiKey}'

`;
}
