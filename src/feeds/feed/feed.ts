import type { ListingItemView } from '../../blog/core/views/listing-item.view.js';
import type { Site } from '../site.service.js';
import { withAbsoluteUrls, xmlText } from './feed-text.js';

/** A feed independent of its format (RSS, Atom or JSON). Its texts have only characters that XML allows. */
export interface Feed {
  readonly title: string;
  /** What the site is about, or its title. */
  readonly description: string;
  /** A language tag (BCP 47); undefined if the site names no language. */
  readonly language: string | undefined;
  readonly siteUrl: string;
  /** The URL of the feed itself. */
  readonly url: string;
  readonly entries: readonly FeedEntry[];
  /**
   * Time of the latest change, also by an article that has left the feed; null if nothing was ever published.
   * It is not the time of the request, which would give every response a different ETag.
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
  /** The media type of the image; undefined for one that is elsewhere. */
  readonly imageType: string | undefined;
  readonly publishedAt: Date;
  readonly updatedAt: Date;
}

interface FeedDetails {
  /** URL of the feed. */
  readonly url: string;
  /** Text that follows the title of the site; undefined if the feed has the title of the site alone. */
  readonly title: string | undefined;
  /** The latest time at which an article left the feed, or another version of it took its place; null if none did. */
  readonly changedAt: Date | null;
}

export function toFeed(
  items: readonly ListingItemView[],
  site: Site,
  { url, title, changedAt }: FeedDetails,
): Feed {
  const entries = items.map((item) => toEntry(item, site));
  const changes = [...entries.map(({ updatedAt }) => updatedAt), ...(changedAt ? [changedAt] : [])];
  const times = changes.map((change) => change.getTime());
  return {
    title: xmlText(title === undefined ? site.title : `${site.title}: ${title}`),
    description: xmlText(site.description ?? site.title),
    language: site.language,
    siteUrl: `${site.url}/`,
    url,
    entries,
    updatedAt: times.length === 0 ? null : new Date(Math.max(...times)),
  };
}

function toEntry(item: ListingItemView, site: Site): FeedEntry {
  const { _id, title, description, text, author, tags, imgUrl, cover, publishedAt, updatedAt } =
    item;
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
    imageType: cover && typeOf(cover.url),
    publishedAt,
    updatedAt,
  };
}

/** The media type of a picture of the library, whose address ends with its format. */
function typeOf(url: string): string {
  return `image/${url.slice(url.lastIndexOf('.') + 1)}`.replace(/jpg$/, 'jpeg');
}

/**
 * A tag URI (RFC 4151): the host, a day on which the site had the host, and a name that the site
 * gave on that day.
 */
function entryId(blogId: string, publishedAt: Date, { url }: Site): string {
  return `tag:${new URL(url).hostname},${publishedAt.toISOString().slice(0, 10)}:blog/${blogId}`;
}
