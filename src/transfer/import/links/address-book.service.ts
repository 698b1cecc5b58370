import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { BlogImportService } from '../../../blog/core/import/blog-import.service.js';
import { isUsableSlug, normalizeSlug } from '../../../blog/core/text/slug.js';
import { articleUrlOf } from '../../../feeds/site.service.js';
import { Env } from '../../../platform/config/env.js';
import { articleId } from '../articles/article-id.js';
import { ArticlePreparer } from '../articles/article-preparer.service.js';
import { freeSlugs } from '../articles/free-slugs.js';
import type { ArticleSource, ImportedArticle } from '../articles/imported-article.js';
import { storedBlogs, takenSlugs } from '../articles/stored-blogs.js';
import type { Redirect } from '../import-report.js';
import { ArticleLinks, pathKey } from './article-links.js';

/** Number of articles that are looked up together. */
const BATCH = 50;
/** Largest number of former slugs of an article, as the API keeps them. */
const FORMER_SLUGS_MAX = 20;

/** What an article gets before it is imported. */
export interface Address {
  readonly slug: string;
  /** Slugs of the former site, which lead to the article as well. */
  readonly formerSlugs: readonly string[];
  /** The addresses of the former site that no slug can stand for. */
  readonly redirects: readonly Redirect[];
}

/** The new addresses of the articles of an import. */
export interface AddressBook {
  readonly links: ArticleLinks;
  of(article: ImportedArticle): Address | undefined;
}

interface Entry {
  readonly article: ImportedArticle;
  readonly _id: Types.ObjectId;
  slug: string;
  /** Whether an earlier run has imported the article. */
  isKnown: boolean;
}

/** Gives the articles of an import their addresses before the first one is imported, so that links can lead to them. */
@Injectable()
export class AddressBookService {
  constructor(
    private readonly imports: BlogImportService,
    private readonly preparer: ArticlePreparer,
    private readonly env: Env,
  ) {}

  async open(source: ArticleSource): Promise<AddressBook> {
    const claimed = new Set<string>();
    const entries: Entry[] = [];
    let batch: Entry[] = [];
    for await (const item of source.items({ headsOnly: true })) {
      if (!('article' in item)) continue;
      const { article } = item;
      const slug = this.preparer.slugOf(article).value;
      // The text is not needed any more.
      const head = { ...article, html: '' };
      batch.push({ article: head, _id: articleId(article), slug, isKnown: false });
      if (batch.length < BATCH) continue;
      entries.push(...(await this.withSlugs(batch, claimed)));
      batch = [];
    }
    entries.push(...(await this.withSlugs(batch, claimed)));
    return this.bookOf(entries, await this.formerSlugs(entries, claimed), source.sites ?? []);
  }

  /** Gives articles that are stored their slugs, and the others free ones. */
  private async withSlugs(
    batch: readonly Entry[],
    claimed: Set<string>,
  ): Promise<readonly Entry[]> {
    if (batch.length === 0) return batch;
    const stored = await storedBlogs(this.imports, batch);
    const missing = batch.filter((entry, at) => {
      const found = stored[at];
      entry.slug = found?.slugs[0] ?? entry.slug;
      entry.isKnown = found !== undefined;
      return !found;
    });
    const wanted = missing.map(({ slug }) => slug);
    const slugs = await freeSlugs(wanted, claimed, this.imports);
    for (const [at, entry] of missing.entries()) entry.slug = slugs[at] ?? entry.slug;
    return batch;
  }

  /** The slugs that articles had on their former site, as far as no other article has or gets them. */
  private async formerSlugs(
    entries: readonly Entry[],
    claimed: Set<string>,
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const former = new Map<string, readonly string[]>();
    for (let at = 0; at < entries.length; at += BATCH) {
      const candidates = entries
        .slice(at, at + BATCH)
        .filter(({ isKnown }) => !isKnown)
        .map((entry) => ({ entry, slugs: oneSegmentSlugs(entry) }));
      const wanted = candidates.flatMap(({ slugs }) => slugs);
      const taken = await takenSlugs(this.imports, wanted);
      for (const { entry, slugs } of candidates) {
        const free = slugs.filter((slug) => !taken.has(slug) && !claimed.has(slug));
        for (const slug of free) claimed.add(slug);
        former.set(entry.article.identity, free.slice(0, FORMER_SLUGS_MAX));
      }
    }
    return former;
  }

  private bookOf(
    entries: readonly Entry[],
    former: ReadonlyMap<string, readonly string[]>,
    sites: readonly (string | null)[],
  ): AddressBook {
    const addresses = new Map<string, Address>();
    const targets = entries.map((entry) => {
      const { article, _id, slug } = entry;
      const url = articleUrlOf(this.env, { _id, slug });
      const formerSlugs = former.get(article.identity) ?? [];
      const redirects = this.redirectsOf(entry, url, formerSlugs);
      addresses.set(article.identity, { slug, formerSlugs, redirects });
      return [article, { url, title: article.title }] as const;
    });
    return {
      links: new ArticleLinks(targets, sites),
      of: ({ identity }) => addresses.get(identity),
    };
  }

  /** The former addresses that the site does not answer, and whereto they should lead. */
  private redirectsOf(
    { article, _id }: Entry,
    to: string,
    formerSlugs: readonly string[],
  ): Redirect[] {
    const answered = new Set(
      [pathOf(to), ...formerSlugs.map((slug) => pathOf(articleUrlOf(this.env, { _id, slug })))].map(
        pathKey,
      ),
    );
    const paths = new Set((article.addresses ?? []).map(pathOf));
    return (
      [...paths]
        // WordPress itself redirects its short addresses.
        .filter((path) => !/^\/(?:\?.*)?$/.test(path) && !answered.has(pathKey(path)))
        .map((from) => ({ from, to }))
    );
  }
}

/** The slugs in addresses of one segment, in normal form, other than the slug of the article. */
function oneSegmentSlugs({ article, slug }: Entry): string[] {
  const slugs = (article.addresses ?? []).flatMap((address) => {
    const segments = pathKey(address)
      .split('/')
      .filter((part) => part !== '');
    const found = segments.length === 1 ? normalizeSlug((segments[0] ?? '').slice(0, 1_000)) : '';
    return found !== slug && !found.includes('?') && isUsableSlug(found) ? [found] : [];
  });
  return article.hidden === null ? [...new Set(slugs)] : [];
}

/** The path and the query of an address, percent-encoded. */
function pathOf(address: string): string {
  const url = URL.parse(address.trim(), 'https://a.invalid/');
  return url ? url.pathname + url.search : '/';
}
