import type { Env } from './env.js';

/** The pages that a server has with these settings. */
interface Pages {
  readonly docs: boolean;
  readonly start: boolean;
  /** The page to which the links of mails lead, unless the site has one. */
  readonly account: boolean;
}

export function pagesOf({ DOCS, NODE_ENV, SMTP_URL, SITE_ACCOUNT_URL }: Env): Pages {
  const start = NODE_ENV !== 'production';
  const account = SITE_ACCOUNT_URL === undefined && (start || SMTP_URL !== undefined);
  return { docs: DOCS === 'on', start, account };
}

/** Whether a server with these settings has any page. */
export function hasPages(env: Env): boolean {
  return Object.values(pagesOf(env)).includes(true);
}
