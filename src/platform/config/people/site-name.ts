import type { Env } from '../env.js';

/** The name of the site for people: SITE_TITLE, else the host of SITE_URL, else that of the program. */
export function siteNameOf({ SITE_TITLE, SITE_URL }: Pick<Env, 'SITE_TITLE' | 'SITE_URL'>): string {
  return SITE_TITLE ?? URL.parse(SITE_URL ?? '')?.host ?? 'Pressroom';
}
