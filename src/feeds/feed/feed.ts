import type { ListingItemView } from '../../blog/core/views/listing-item.view.js';
import type { Site } from '../site.service.js';
import { withAbsoluteUrls, xmlText } from './feed-text.js';

/** A feed independent of its format (RSS, Atom or JSON). Its texts have only characters that XML allows. */
export interface Feed {
  readonly title: string;
  readonly siteUrl: string;
  /** The URL of the feed itself. */
  readonly url: string;
  readonly entries: readonly FeedEntry[];
  /**
   * Time of the latest change of an entry; null without entries. It is not the time of the request,
   * which would give every response a different ETag.
   */
  readonly updatedAt: Date | null;
}

export interface FeedEntry {
  /** Id of the entry, which stays the same when the article gets another slug. */
  readonly id: string;
  readonly url: string;
  readonly title: string;
  /** The description as plain text. */
  readonly description: string;
  /** The text as HTML; undefined with `FEED_TEXT=description`. */
  readonly text: string | undefined;
  readonly author: string;
  readonly tags: readonly string[];
  readonly imageUrl: string | undefined;
  readonly publishedAt: Date;
  readonly updatedAt: Date;
}

/**
 * @param url URL of the feed
 * @param title text that follows the host in the feed's title; undefined if the title is the host alone
 */
export function toFeed(
  items: readonly ListingItemView[],
  site: Site,
  { url, title }: { readonly url: string; readonly title: string | undefined },
): Feed {
  const entries = items.map((item) => toEntry(item, site));
  const times = entries.map(({ updatedAt }) => updatedAt.getTime());
  return {
    title: xmlText(title === undefined ? site.host : `${site.host}: ${title}`),
    siteUrl: `${site.url}/`,
    url,
    entries,
    updatedAt: times.length === 0 ? null : new Date(Math.max(...times)),
  };
}

function toEntry(item: ListingItemView, site: Site): FeedEntry {
  const { _id, title, description, text, author, tags, imgUrl, publishedAt, updatedAt } = item;
  const url = site.articleUrl(item);
  return {
    id: entryId(_id, publishedAt, site),
    url,
    title: xmlText(title),
    description: xmlText(description),
    text: text === undefined ? undefined : xmlText(withAbsoluteUrls(text, site, url)),
    author: xmlText(author.name),
    tags: tags.map(xmlText),
    imageUrl: imgUrl === undefined ? undefined : URL.parse(imgUrl)?.href,
    publishedAt,
    updatedAt,
  };
}

/**
 * A tag URI (RFC 4151): the host, a day on which the site had the host, and a name that the site
 * gave on that day.
 */
function entryId(blogId: string, publishedAt: Date, { url }: Site): string {
  return `tag:${new URL(url).hostname},${publishedAt.toISOString().slice(0, 10)}:blog/${blogId}`;
}
