import type { SourceItem, SourceAuthor } from '../articles/imported-article.js';
import { plainText } from '../articles/plain-text.js';
import { sourceDate } from '../articles/source-date.js';
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
  /** The URLs of attachments by their ids. */
  readonly attachments: ReadonlyMap<string, string>;
}

/**
 * What an article becomes by its status in WordPress. A note says why it becomes a draft; articles that are left
 * out are only counted.
 */
const OUTCOMES: Readonly<
  Record<string, { readonly note: string | null } | 'published' | 'left out'>
> = {
  publish: 'published',
  draft: { note: null },
  pending: { note: 'it waits for a review: imported as a draft' },
  private: { note: 'it is private: imported as a draft' },
  future: { note: 'it is scheduled: imported as a draft' },
  trash: 'left out',
  'auto-draft': 'left out',
  inherit: 'left out',
};

/** Categories that WordPress gives to articles without any. */
const NO_CATEGORY: ReadonlySet<string> = new Set(['uncategorized', 'uncategorised']);

/** The article of an item, or a count if the article is left out. */
export function wordpressArticle(item: WxrItem, site: WordpressSite): SourceItem {
  const { fields, terms, meta } = item;
  const [id, type] = [fields['wp:post_id'] ?? '', fields['wp:post_type'] ?? 'post'];
  const status = fields['wp:status'] ?? 'publish';
  const outcome = OUTCOMES[status] ?? { note: `its status is "${status}": imported as a draft` };
  if (outcome === 'left out') return { counted: `${type}s with the status "${status}" left out` };
  const { html, notes } = wordpressHtml(fields['content:encoded'] ?? '');
  const hasPassword = (fields['wp:post_password'] ?? '') !== '';
  const isPublished = outcome === 'published' && !hasPassword;
  const thumbnail = meta['_thumbnail_id'];
  const picture = thumbnail === undefined ? null : (site.attachments.get(thumbnail) ?? null);
  const creator = fields['dc:creator']?.trim() ?? '';
  const writtenAt = timeOf(fields, 'post_date');
  const article = {
    source: `${type} ${id}`,
    identity: `wordpress ${site.urlInFile} ${id}`,
    title: plainText(fields['title'] ?? ''),
    description: plainText(fields['excerpt:encoded'] ?? ''),
    html,
    slug: slugOf(fields['wp:post_name'] ?? ''),
    tags: terms.filter(becomesTag).map(({ name }) => plainText(name)),
    imgUrl: picture,
    isPublished,
    createdAt: writtenAt,
    updatedAt: timeOf(fields, 'post_modified'),
    publishedAt: isPublished ? (writtenAt ?? sourceDate(fields['pubDate'])) : null,
    author: site.authors.get(creator) ?? (creator === '' ? null : { name: creator, email: null }),
    base: site.baseUrl,
    addresses: [fields['link'] ?? '', `/?p=${id}`].filter((address) => address !== ''),
    notes: [
      ...notes,
      ...(typeof outcome === 'object' && outcome.note !== null ? [outcome.note] : []),
      ...(hasPassword ? ['it has a password: imported as a draft'] : []),
      ...(thumbnail !== undefined && picture === null
        ? ['its picture is not in the file: left out']
        : []),
    ],
  };
  return { article };
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
  try {
    return decodeURIComponent(name) || null;
  } catch {
    return name;
  }
}
