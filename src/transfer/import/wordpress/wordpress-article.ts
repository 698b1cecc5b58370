import { percentDecoded } from '../../../platform/text/percent-decoded.js';
import { PLAIN_DRAFT, type SourceAuthor, type SourceItem } from '../articles/imported-article.js';
import { plainText } from '../articles/plain-text.js';
import { sourceDate } from '../dates/source-date.js';
import type { Attachment } from './wordpress-context.js';
import { wordpressHtml } from './wordpress-html.js';
import type { WxrItem } from './wxr-records.js';

/** Data of articles that the file holds outside the items of the articles. */
export interface WordpressSite {
  /** URL of the site; null if neither the file nor the operator gives one. */
  readonly baseUrl: string | null;
  /** URL of the site as the file has it, by which a later run recognises the site. */
  readonly urlInFile: string;
  /** The authors by login name. An article names its author by the login name. */
  readonly authors: ReadonlyMap<string, SourceAuthor>;
  /** The files of the media library by their ids. */
  readonly attachments: ReadonlyMap<string, Attachment>;
  /** The files by the ids of the articles to which they were uploaded. */
  readonly uploads: ReadonlyMap<string, readonly Attachment[]>;
  /** The contents of reusable blocks by their ids. */
  readonly blocks: ReadonlyMap<string, string>;
}

/** The status of items that are left out: they are no articles, or their author has deleted them. */
const LEFT_OUT: ReadonlySet<string> = new Set(['trash', 'auto-draft', 'inherit']);

/** Why an article is not public, by its status. */
const HIDDEN_STATUS: ReadonlyMap<string, string | null> = new Map([
  ['publish', null],
  ['draft', PLAIN_DRAFT],
  ['pending', 'it waits for a review'],
  ['private', 'it is private'],
  ['future', 'it is scheduled'],
]);

/**
 * Fields of plugins that hide an article from readers or search engines, with the values that do. The names of most
 * fields say what they do; the others are those of SEOPress, Jetpack, Members, WP-Members, Simple Membership, Restrict
 * Content and Ultimate Member.
 */
const HIDING_META: readonly (readonly [key: RegExp, value: RegExp])[] = [
  [/noindex$/i, /^(?:1|on|yes|true|noindex)$/i],
  [/robots|^slim_seo$/i, /\bnoindex\b(?!";[ib]:0)/i],
  [/^_?exclude_from_(?:search|sitemap)$|sitemap_exclude$/, /^(?:1|on|yes|true)$/i],
  [/(?:^|_)visibility$/, /^(?:hidden|private|unlisted|none|members)$/i],
  [/(?:^|_)post_password$/, /./],
  [/^_seopress_robots_index$/, /^yes$/],
  [/^_jetpack_newsletter_access$/, /^(?!everybody$)./],
  [/^_members_access_role$/, /./],
  [/^_(?:wpmem_block|swpm_protected|is_paid)$/, /^(?:1|on|yes)$/],
  [/^rcp_(?:user|subscription)_level$/, /^(?!All$)./i],
  [/^um_content_restriction$/, /"_um_accessible";(?:i:2|s:1:"2")/],
];

/** Categories that WordPress gives to articles without any. */
const NO_CATEGORY: ReadonlySet<string> = new Set(['uncategorized', 'uncategorised']);

/** The article of an item, or a count if the article is left out. */
export function wordpressArticle(item: WxrItem, site: WordpressSite): SourceItem {
  const { fields, terms, meta } = item;
  const [id, type] = [idOf(item), fields['wp:post_type'] ?? 'post'];
  const status = fields['wp:status']?.trim() ?? 'publish';
  if (LEFT_OUT.has(status)) return { counted: `${type}s with the status "${status}" left out` };
  const { html, notes } = wordpressHtml(fields['content:encoded'] ?? '', {
    ...site,
    uploads: site.uploads.get(id) ?? [],
    meta,
  });
  const thumbnail = valueIn(meta, '_thumbnail_id');
  const picture = thumbnail === undefined ? undefined : site.attachments.get(thumbnail);
  const writtenAt = timeOf(fields, 'post_date');
  const article = {
    source: `${type} ${id}`,
    identity: `wordpress ${site.urlInFile} ${id}`,
    title: plainText(fields['title'] ?? ''),
    description: plainText(fields['excerpt:encoded'] ?? ''),
    html,
    slug: slugOf(fields['wp:post_name'] ?? ''),
    tags: terms.filter(becomesTag).map(({ name }) => plainText(name)),
    imgUrl: picture?.url ?? null,
    imgAlt: picture?.alt ?? null,
    hidden: whyHidden(item, status),
    createdAt: writtenAt,
    updatedAt: timeOf(fields, 'post_modified'),
    publishedAt: writtenAt ?? sourceDate(fields['pubDate']),
    authors: authorsOf(item, site),
    base: site.baseUrl,
    addresses: [fields['link'] ?? '', /^\d+$/.test(id) ? `/?p=${id}` : ''].filter(
      (address) => address !== '',
    ),
    notes: [
      ...notes,
      ...(thumbnail !== undefined && picture === undefined
        ? ['its picture is not in the file: left out']
        : []),
    ],
  };
  return { article };
}

/** The number of an item. A file that lacks it has it in the addresses; without any, the address is the id. */
export function idOf({ fields }: WxrItem): string {
  const number = fields['wp:post_id']?.trim() ?? '';
  const addresses = [fields['guid'], fields['link']].map((address) => address?.trim() ?? '');
  const inAddress = addresses.flatMap((address) => /[?&]p=(\d+)$/.exec(address)?.[1] ?? []);
  const [id = ''] = [number, ...inAddress, ...addresses].filter((each) => each !== '');
  return id || `${fields['title'] ?? ''} ${fields['wp:post_date'] ?? fields['pubDate'] ?? ''}`;
}

/** The value of a field of an article; the last one, if it has several. */
function valueIn(meta: WxrItem['meta'], key: string): string | undefined {
  return meta[key]?.at(-1);
}

/** The authors of the plugin Co-Authors Plus, which have a term each; without them, the author of WordPress itself. */
function authorsOf({ fields, terms }: WxrItem, { authors }: WordpressSite): SourceAuthor[] {
  const coAuthors = terms
    .filter(({ domain }) => domain === 'author')
    .map(({ name, nicename }) => ({ key: nicename.replace(/^cap-/, ''), name }));
  const creator = fields['dc:creator']?.trim() ?? '';
  const named = coAuthors.length > 0 ? coAuthors : [{ key: creator, name: creator }];
  return named
    .filter(({ key, name }) => key + name !== '')
    .map(({ key, name }) => authors.get(key) ?? { key, name, email: null });
}

function whyHidden({ fields, meta }: WxrItem, status: string): string | null {
  const byStatus = HIDDEN_STATUS.get(status);
  if (byStatus !== null) return byStatus ?? `its status is "${status}"`;
  if ((fields['wp:post_password'] ?? '') !== '') return 'it has a password';
  const field = Object.keys(meta).find((key) =>
    HIDING_META.some(([name, value]) => name.test(key) && value.test(valueIn(meta, key) ?? '')),
  );
  if (field !== undefined) return `its field "${field}" hides it`;
  const expiry = Number(valueIn(meta, '_expiration-date') ?? NaN) * 1_000;
  return expiry <= Date.now() ? `expired at ${new Date(expiry).toISOString()}` : null;
}

/** The time in UTC. If the file lacks it, as for drafts, the site's local time is read as UTC. */
function timeOf(fields: WxrItem['fields'], name: 'post_date' | 'post_modified'): Date | null {
  return sourceDate(fields[`wp:${name}_gmt`]) ?? sourceDate(fields[`wp:${name}`]);
}

function becomesTag({ domain, name }: WxrItem['terms'][number]): boolean {
  if (domain === 'post_tag' || domain === 'tag') return true;
  return domain === 'category' && !NO_CATEGORY.has(name.toLowerCase());
}

/** The slug from `wp:post_name`, in which WordPress percent-encodes letters beyond ASCII. */
function slugOf(name: string): string | null {
  return percentDecoded(name) || null;
}
