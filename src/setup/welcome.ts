import type { Env } from '../config/env.js';
import { CREDENTIALS_FILE, type Credentials } from './credentials.js';

/**
 * What a start says on its standard output: the address, and at the very first start of an
 * embedded database what is needed to use it.
 *
 * @param url as Nest reports it, such as `http://127.0.0.1:3000`
 * @param made the credentials of a first start; null afterwards
 */
export function welcomeText(url: string, env: Env, made: Credentials | null): string {
  const docs = env.DOCS === 'on' ? `  Docs            ${url}/docs\n` : '';
  if (!made) return `\nPressroom is ready at ${url}\n${docs}\n`;
  return `
Pressroom is ready. This is shown once; it is kept in ${env.DATA_DIR}/${CREDENTIALS_FILE}.

  Address         ${url}
${docs}  API key         ${made.apiKey}
  Admin           ${made.adminEmail}
  Password        ${made.adminPassword}

Try it:

  curl -s ${url}/blogs/latest -H 'x-api-key: ${made.apiKey}'

`;
}
