import { Injectable } from '@nestjs/common';
import { Env } from '../platform/config/env.js';
import { SiteUrlMissingError } from './feeds.errors.js';

/** The site that shows the articles, as the settings describe it. */
export interface Site {
  /** URL of the site, without a slash at the end. */
  readonly url: string;
  /** Title of the site; its host with the port if it has none. */
  readonly title: string;
  readonly description: string | undefined;
  /** A language tag (BCP 47). */
  readonly language: string | undefined;
  /** Scheme and host, to which the paths in articles are relative. */
  readonly origin: string;
  articleUrl(article: { readonly _id: unknown; readonly slug: string }): string;
  /**
   * The URL by which readers reach a path of this server through the site.
   *
   * @param query parameters of the URL; undefined ones are left out
   */
  pageUrl(path: string, query?: Readonly<Record<string, string | undefined>>): string;
}

@Injectable()
export class SiteService {
  private readonly site: Site | null;

  constructor(env: Env) {
    this.site = env.SITE_URL === undefined ? null : siteOf(env.SITE_URL, env);
  }

  /** @throws SiteUrlMissingError */
  get(): Site {
    if (this.site === null) throw new SiteUrlMissingError();
    return this.site;
  }
}

/** URL of an article on the site of `SITE_URL`; its path if that is not set. */
export function articleUrlOf(
  { SITE_URL, SITE_ARTICLE_PATH }: Pick<Env, 'SITE_URL' | 'SITE_ARTICLE_PATH'>,
  { _id, slug }: { readonly _id: unknown; readonly slug: string },
): string {
  const path = SITE_ARTICLE_PATH.replaceAll('{id}', String(_id))
    // The replacement is a function, because `$` has a special meaning in a replacement text.
    .replaceAll('{slug}', () => encodeURIComponent(slug.toWellFormed()));
  return (SITE_URL ?? '') + path;
}

function siteOf(url: string, env: Env): Site {
  const { host, origin } = new URL(url);
  return {
    url,
    title: env.SITE_TITLE ?? host,
    description: env.SITE_DESCRIPTION,
    language: env.SITE_LANGUAGE,
    origin,
    articleUrl: (article) => articleUrlOf(env, article),
    pageUrl(path, query = {}) {
      const parameters = Object.entries(query).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      );
      const text = new URLSearchParams(parameters).toString();
      return `${url}${path}${text === '' ? '' : `?${text}`}`;
    },
  };
}
