import { generateAtomFeed, generateJsonFeed, generateRssFeed } from 'feedsmith';
import { escapeHtml } from '../../platform/text/escape-html.js';
import type { Feed, FeedEntry } from './feed.js';

/** A format in which feeds are sent. */
export interface FeedFormat {
  readonly path: string;
  /** The media type, without its charset. */
  readonly type: string;
  readonly write: (feed: Feed) => string;
}

/** The `updated` of an Atom feed without entries, because the format requires a time. */
const TIME_WITHOUT_ENTRIES = new Date(0);

/**
 * RSS 2.0. Its `description` is HTML. The author's name is `dc:creator` of Dublin Core, because
 * `author` of RSS requires an email address.
 */
export const RSS: FeedFormat = {
  path: '/feeds/rss.xml',
  type: 'application/rss+xml',
  write: ({ title, description, language, siteUrl, url, entries, updatedAt }) =>
    generateRssFeed({
      title,
      link: siteUrl,
      description,
      ...(language === undefined ? {} : { language }),
      ...(updatedAt ? { lastBuildDate: updatedAt } : {}),
      atom: { links: [{ href: url, rel: 'self', type: RSS.type }] },
      items: entries.map((entry) => ({
        title: entry.title,
        link: entry.url,
        guid: { value: entry.id, isPermaLink: false },
        pubDate: entry.publishedAt,
        description: escapeHtml(entry.description),
        categories: entry.tags.map((name) => ({ name })),
        dc: { creators: [entry.author] },
        atom: { updated: entry.updatedAt },
        ...(entry.text === undefined ? {} : { content: { encoded: entry.text } }),
        ...mediaOf(entry),
      })),
    }),
};

/** Atom 1.0 (RFC 4287). */
export const ATOM: FeedFormat = {
  path: '/feeds/atom.xml',
  type: 'application/atom+xml',
  write: ({ title, description, language, siteUrl, url, entries, updatedAt }) =>
    generateAtomFeed({
      ...(language === undefined ? {} : { xml: { lang: language } }),
      id: url,
      title: { value: title },
      ...(description === title ? {} : { subtitle: { value: description } }),
      updated: updatedAt ?? TIME_WITHOUT_ENTRIES,
      // A feed must have an author unless each of its entries has one (RFC 4287, section 4.1.1).
      ...(entries.length === 0 ? { authors: [{ name: title }] } : {}),
      links: [
        { href: url, rel: 'self', type: ATOM.type },
        { href: siteUrl, rel: 'alternate' },
      ],
      entries: entries.map((entry) => ({
        id: entry.id,
        title: { value: entry.title },
        links: [{ href: entry.url, rel: 'alternate' }, ...enclosuresOf(entry)],
        published: entry.publishedAt,
        updated: entry.updatedAt,
        authors: [{ name: entry.author }],
        categories: entry.tags.map((term) => ({ term })),
        summary: { value: entry.description },
        ...(entry.text === undefined ? {} : { content: { type: 'html', value: entry.text } }),
        ...mediaOf(entry),
      })),
    }),
};

/** JSON Feed 1.1. An item must have content: the article's text, or the description if the feed has no texts. */
export const JSON_FEED: FeedFormat = {
  path: '/feeds/feed.json',
  type: 'application/feed+json',
  write: ({ title, description, language, siteUrl, url, entries }) => {
    const items = entries.map((entry) => ({
      id: entry.id,
      url: entry.url,
      title: entry.title,
      summary: entry.description,
      ...(entry.text === undefined
        ? { content_text: entry.description }
        : { content_html: entry.text }),
      ...(entry.imageUrl === undefined ? {} : { image: entry.imageUrl }),
      date_published: entry.publishedAt,
      date_modified: entry.updatedAt,
      tags: [...entry.tags],
      authors: [{ name: entry.author }],
    }));
    const feed = generateJsonFeed({
      title,
      home_page_url: siteUrl,
      feed_url: url,
      ...(description === title ? {} : { description }),
      ...(language === undefined ? {} : { language }),
      items,
    });
    // A feed must have `items`, but the library leaves an empty list out.
    return JSON.stringify({ items: [], ...(feed as object) });
  },
};

/** The image as Media RSS, because an `enclosure` must state the size of the image in bytes. */
function mediaOf({ imageUrl, imageType }: FeedEntry) {
  if (imageUrl === undefined) return {};
  const type = imageType === undefined ? {} : { type: imageType };
  return { media: { contents: [{ url: imageUrl, ...type, medium: 'image' as const }] } };
}

/** The image as Atom links it, which needs no size. */
function enclosuresOf({ imageUrl, imageType }: FeedEntry) {
  return imageUrl === undefined || imageType === undefined
    ? []
    : [{ href: imageUrl, rel: 'enclosure', type: imageType }];
}
