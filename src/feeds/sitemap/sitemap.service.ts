import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { ErrorLevel, SitemapIndexStream, SitemapStream } from 'sitemap';
import { LISTS_CACHE_TAG } from '../../blog/public/lists/cache-tags.js';
import type { ClientPrefixOf } from '../../platform/http/client-address/client-prefix.decorator.js';
import { TextDocument } from '../../platform/http/text-document.js';
import { encodeCursor, type Cursor } from '../../platform/http/pagination/cursor.js';
import { isFirst, type SitemapQuery } from '../dto/sitemap-query.js';
import { SiteService, type Site } from '../site.service.js';
import { SitemapParts } from './sitemap-parts.job.js';
import { SitemapReader, type SitemapEntry } from './sitemap-reader.js';

/** Data of a sitemap that the caches need. */
export interface SitemapData {
  readonly cacheTags: readonly string[];
}

/**
 * Largest number of URLs in a part. The protocol allows no more in one file:
 * https://www.sitemaps.org/protocol.html.
 */
const PART_SIZE = 50_000;
/** Largest number of articles in a part: the first part names the home page as well. */
const sizeOf = (start: Cursor): number => (isFirst(start) ? PART_SIZE - 1 : PART_SIZE);

/** Largest number of characters in a URL, as the protocol allows. */
const URL_LENGTH_MAX = 2_047;

/** Least number of characters in a chunk of the response, except the last chunk. */
const CHUNK_SIZE = 65_536;

const TYPE = 'application/xml; charset=utf-8';
const DATA: SitemapData = { cacheTags: [LISTS_CACHE_TAG] };

/** The sitemap of all live articles: an index, and parts that are read from the database while they are sent. */
@Injectable()
export class SitemapService {
  constructor(
    private readonly site: SiteService,
    private readonly reader: SitemapReader,
    private readonly parts: SitemapParts,
  ) {}

  /**
   * The index, or the part between two positions.
   *
   * @throws SiteUrlMissingError
   * @throws TooManyExpensiveReadsError
   */
  async sitemap(
    { start, end }: SitemapQuery,
    clientPrefixOf: ClientPrefixOf,
  ): Promise<TextDocument<SitemapData>> {
    const site = this.site.get();
    const body = await (start === undefined
      ? this.index(site, clientPrefixOf)
      : this.part(site, start, end ?? null, clientPrefixOf));
    return new TextDocument(TYPE, body, DATA);
  }

  private async index(site: Site, clientPrefixOf: ClientPrefixOf): Promise<string> {
    const starts = (await this.parts.starts(clientPrefixOf)).map(encodeCursor);
    const urls = starts.map((start, at) => ({
      url: site.pageUrl('/sitemap.xml', { start, end: starts[at + 1] }),
    }));
    return text(
      Readable.from(urls).compose<SitemapIndexStream>(
        new SitemapIndexStream({ level: ErrorLevel.THROW }),
      ),
    );
  }

  /**
   * Streams a part. Reads the first articles before it returns, so that the response is a 503 if the
   * database cannot be reached.
   */
  private async part(
    site: Site,
    start: Cursor,
    end: Cursor | null,
    clientPrefixOf: ClientPrefixOf,
  ): Promise<Readable> {
    const batches = this.reader.entriesBetween(start, end, sizeOf(start), clientPrefixOf);
    const first = await batches.next();
    const sitemap = new SitemapStream({ level: ErrorLevel.THROW, xmlns: NO_EXTENSIONS });
    const entries = first.done ? [] : first.value;
    // A sitemap must not be empty, so a part without articles names the home page as well.
    const home = isFirst(start) || entries.length === 0 ? [{ url: `${site.url}/` }] : [];
    const items = Readable.from(itemsOf(site, home, entries, batches));
    // The connection is cut when a query fails, so that the client does not take the part for complete.
    return pipeline(items, sitemap, inChunks(), () => undefined);
  }
}

const NO_EXTENSIONS = { news: false, xhtml: false, image: false, video: false } as const;

async function* itemsOf(
  site: Site,
  pages: readonly { readonly url: string }[],
  first: readonly SitemapEntry[],
  others: AsyncIterable<readonly SitemapEntry[]>,
) {
  yield* pages;
  yield* first.flatMap((entry) => itemOf(site, entry));
  for await (const batch of others) yield* batch.flatMap((entry) => itemOf(site, entry));
}

/** The entry of an article; [] for an article whose URL is longer than the protocol allows. */
function itemOf(site: Site, { _id, live: { slug, at, updatedAt = at } }: SitemapEntry) {
  const url = site.articleUrl({ _id, slug });
  return url.length > URL_LENGTH_MAX ? [] : [{ url, lastmodISO: updatedAt.toISOString() }];
}

/** Joins the texts that the library writes, one for each tag. Otherwise each would be an HTTP chunk of its own. */
function inChunks(): Transform {
  let waiting = '';
  return new Transform({
    writableObjectMode: true,
    transform(chunk: unknown, _encoding, done) {
      waiting += String(chunk);
      if (waiting.length >= CHUNK_SIZE) {
        this.push(waiting);
        waiting = '';
      }
      done();
    },
    flush(done) {
      done(null, waiting);
    },
  });
}
