import Parser from 'rss-parser';
import { ParseOption, XmlDocument } from 'libxml2-wasm';
import { openBlogFixture, type BlogFixture } from '../blog/core/fixture.js';
import type { Client } from '../support/client.js';

export const SITE = 'https://blog.example';

export const FEED_PATHS = ['/feeds/rss.xml', '/feeds/atom.xml', '/feeds/feed.json'] as const;

/** An entry as readFeed returns it. */
export interface ParsedEntry {
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly author: string;
  readonly tags: readonly string[];
  readonly image: string | undefined;
  readonly published: string;
  readonly summary: string | undefined;
  readonly text: string | undefined;
}

export interface ParsedFeed {
  readonly title: string;
  readonly siteUrl: string;
  readonly selfUrl: string | undefined;
  readonly entries: readonly ParsedEntry[];
}

/** The fields that RSS_PARSER reads of an entry in addition to its built-in fields. */
interface RawItem {
  readonly id?: string;
  readonly author?: string;
  readonly creator?: string;
  readonly image?: { readonly $: { readonly url: string } };
  readonly tags?: readonly (string | { readonly $: { readonly term: string } })[];
  readonly text?: string;
  readonly summaryHtml?: string;
}

const RSS_PARSER = new Parser<object, RawItem>({
  customFields: {
    // The parser's types allow none of these XML names.
    item: [
      ['media:content', 'image'],
      ['content:encoded', 'text'],
      ['description', 'summaryHtml'],
      ['category', 'tags', { keepArray: true }],
    ] as never,
  },
});

export function openFeedsFixture(env: Readonly<Record<string, string>> = {}): Promise<BlogFixture> {
  return openBlogFixture({ env });
}

/** Reads a feed with a parser that the server does not use. @throws Error for XML that is not well-formed */
export async function readFeed(client: Client, path: string): Promise<ParsedFeed> {
  const { status, text } = await client.get(path);
  if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
  if (path.startsWith('/feeds/feed.json')) return jsonFeedOf(text);
  // rss-parser repairs what is not well-formed; libxml2 does not.
  XmlDocument.fromString(text, { option: ParseOption.XML_PARSE_NONET }).dispose();
  const { title = '', link = '', feedUrl, items } = await RSS_PARSER.parseString(text);
  return {
    title: title.trim(),
    siteUrl: link,
    selfUrl: feedUrl ?? undefined,
    entries: items.map((item) => {
      const { id, image, tags, text: html, summaryHtml, author, creator } = item;
      const isAtom = id !== undefined;
      return {
        id: id ?? item.guid ?? '',
        url: (item.link ?? '').trim(),
        title: (item.title ?? '').trim(),
        author: (author ?? creator ?? '').trim(),
        tags: (tags ?? []).map((tag) => (typeof tag === 'string' ? tag.trim() : tag.$.term)),
        image: image?.$.url,
        published: new Date(String(item.isoDate ?? item.pubDate)).toISOString(),
        summary: (isAtom ? item.summary : summaryHtml)?.trim(),
        text: (isAtom ? item.content : html)?.trim(),
      };
    }),
  };
}

function jsonFeedOf(text: string): ParsedFeed {
  const feed = JSON.parse(text);
  if (feed.version !== 'https://jsonfeed.org/version/1.1') throw new Error('no JSON Feed 1.1');
  return {
    title: feed.title,
    siteUrl: feed.home_page_url,
    selfUrl: feed.feed_url,
    entries: feed.items.map((item: Record<string, never>) => ({
      id: item['id'],
      url: item['url'],
      title: item['title'],
      tags: item['tags'] ?? [],
      author: item['authors']?.[0]?.['name'],
      image: item['image'],
      published: item['date_published'],
      summary: item['summary'],
      text: item['content_html'],
    })),
  };
}
