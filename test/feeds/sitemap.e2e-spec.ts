import { readFileSync } from 'node:fs';
import { ParseOption, XmlDocument, XsdValidator, type XmlElement } from 'libxml2-wasm';
import { Types, type mongo } from 'mongoose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { storedBlog, type BlogFixture } from '../blog/core/fixture.js';
import { SitemapParts } from '../../src/feeds/sitemap/sitemap-parts.job.js';
import { blogIn } from '../support/factories.js';
import { DAY, HOUR } from '../support/time/clock.js';
import { openFeedsFixture, SITE } from './fixture.js';

const NAMESPACE = { s: 'http://www.sitemaps.org/schemas/sitemap/0.9' };
const PART_SIZE = 50_000;

describe('GET /sitemap.xml', () => {
  let fixture: BlogFixture;
  let schema: XmlDocument;
  let validator: XsdValidator;

  beforeAll(async () => {
    fixture = await openFeedsFixture();
    schema = XmlDocument.fromString(
      readFileSync('node_modules/sitemap/schema/sitemap.xsd', 'utf8'),
    );
    validator = XsdValidator.fromDoc(schema);
  });

  afterAll(() => {
    validator.dispose();
    schema.dispose();
  });

  beforeEach(async () => {
    await fixture.db.collection('blogs').deleteMany({});
    fixture.invalidateCaches();
  });

  /** The texts of the elements that the XPath selects. @param isPart whether to validate the text as a part */
  function select(xml: string, path: string, isPart: boolean): string[] {
    const document = XmlDocument.fromString(xml, { option: ParseOption.XML_PARSE_NONET });
    try {
      if (isPart) validator.validate(document);
      return document.find(path, NAMESPACE).map((node) => (node as XmlElement).content);
    } finally {
      document.dispose();
    }
  }

  /** The paths of the parts, as the index lists them. */
  async function pathsOfParts(): Promise<string[]> {
    const { text, headers } = await fixture.client.get('/sitemap.xml');
    expect(headers.get('content-type')).toBe('application/xml; charset=utf-8');
    const urls = select(text, '/s:sitemapindex/s:sitemap/s:loc', false);
    return urls.map((url) => {
      expect(url.startsWith(`${SITE}/sitemap.xml?`)).toBe(true);
      return url.slice(SITE.length);
    });
  }

  async function urlsOf(part: string): Promise<string[]> {
    const { status, text, headers } = await fixture.client.get(part);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/xml; charset=utf-8']);
    return select(text, '/s:urlset/s:url/s:loc', true);
  }

  /** Stores live articles with only the fields that a sitemap reads. */
  async function storeMany(count: number, prefix = 'a'): Promise<mongo.ObjectId[]> {
    const ids = Array.from({ length: count }, () => new Types.ObjectId());
    const records = ids.map((id, number) => {
      const slug = `${prefix}-${number}`;
      // Groups of ten articles have the same time, so that parts and batches end within a group.
      const at = new Date(Date.UTC(2020, 0, 1) + Math.floor((number + 5) / 10) * 60_000);
      const times = { at, updatedAt: new Date(at.getTime() + 1_500) };
      return { _id: id, status: true, published: true, slugs: [slug], live: { slug, ...times } };
    });
    for (let start = 0; start < count; start += 10_000) {
      await fixture.db.collection('blogs').insertMany(records.slice(start, start + 10_000));
    }
    fixture.invalidateCaches();
    return ids;
  }

  it('should list the URL and the latest change of each live article, and nothing else', async () => {
    const { _id } = await blogIn('live', fixture.author, fixture.editor, { slug: 'größe~漢' });
    const draft = await blogIn('live with draft', fixture.author, fixture.editor);
    await blogIn('draft', fixture.author, fixture.editor);
    await blogIn('in review', fixture.author, fixture.editor);
    const [part = '', ...others] = await pathsOfParts();
    expect(others).toEqual([]);
    expect(await urlsOf(part)).toEqual([
      `${SITE}/`,
      `${SITE}/gr%C3%B6%C3%9Fe~%E6%BC%A2`,
      `${SITE}/${draft.body.slug}`,
    ]);
    const { text, headers } = await fixture.client.get(part);
    const { live } = await storedBlog(fixture.db, _id);
    expect(select(text, '//s:lastmod', true)[0]).toBe(live.updatedAt.toISOString());
    expect([headers.get('etag'), headers.get('cache-control')]).toEqual([null, 'no-store']);
  });

  it('should no longer list an unpublished article', async () => {
    const { _id, body } = await blogIn('live', fixture.author, fixture.editor);
    const [part = ''] = await pathsOfParts();
    expect(await urlsOf(part)).toEqual([`${SITE}/`, `${SITE}/${body.slug}`]);
    await fixture.editor.client.put(`/blog/editor/unpublish/id/${_id}`);
    expect(await urlsOf(part)).toEqual([`${SITE}/`]);
  });

  it('should leave out an article whose URL is longer than the protocol allows', async () => {
    const slug = '𝒶'.repeat(171);
    expect(encodeURIComponent(slug).length).toBeGreaterThan(2_048 - SITE.length);
    await blogIn('live', fixture.author, fixture.editor, { slug });
    const { body } = await blogIn('live', fixture.author, fixture.editor);
    const [part = ''] = await pathsOfParts();
    expect(await urlsOf(part)).toEqual([`${SITE}/`, `${SITE}/${body.slug}`]);
  });

  it('should give the index an ETag, and answer 304 to it', async () => {
    const { headers } = await fixture.client.get('/sitemap.xml');
    const known = { headers: { 'if-none-match': headers.get('etag') } };
    expect((await fixture.client.get('/sitemap.xml', known)).status).toBe(304);
  });

  it.each(['', 'eyJ2IjoxfQ'])('should refuse %j as the start of a part', async (start) => {
    const { status, body } = await fixture.client.get(`/sitemap.xml?start=${start}`);
    expect([status, body.message]).toEqual([400, 'start must be taken from /sitemap.xml']);
  });

  it('should list no more than 50,000 URLs in a part, and each article in one part of the index', async () => {
    const ids = await storeMany(PART_SIZE);
    const urls = [`${SITE}/`, ...ids.map((_, number) => `${SITE}/a-${number}`)];
    const parts = await pathsOfParts();
    expect(parts).toHaveLength(2);
    expect((await Promise.all(parts.map(urlsOf))).flat()).toEqual(urls);
    // The last part of an index that a client has kept: more articles have been published since.
    const [all = ''] = parts.map((part) => part.replace(/&end=.*/, ''));
    expect(await urlsOf(all)).toEqual(urls.slice(0, PART_SIZE));
    await fixture.db.collection('blogs').deleteMany({ _id: { $in: ids.slice(30_000) } });
    fixture.invalidateCaches();
    expect(await pathsOfParts()).toEqual([all]);
    // A part of an index that a client has kept: it must not be empty.
    expect(await urlsOf(parts[1] ?? '')).toEqual([`${SITE}/`]);
  });

  describe('with kept starts of its parts', () => {
    const ABOVE_A_DAY_AGO = { $set: { foundAt: { $subtract: ['$foundAt', DAY + HOUR] } } };
    let job: SitemapParts;
    let sizes: SitemapParts['sizes'];

    beforeAll(() => {
      job = fixture.app.get(SitemapParts);
      sizes = job['sizes'];
      Object.assign(job, { sizes: { usual: 4, max: 6 } });
    });

    afterAll(async () => {
      Object.assign(job, { sizes });
      await kept().deleteMany({});
    });

    beforeEach(async () => {
      await kept().deleteMany({});
    });

    const kept = () => fixture.db.collection('sitemap_parts');
    const blogs = () => fixture.db.collection('blogs');

    /** Stores articles that were published at these minutes, and have them as their slugs. */
    async function publish(...minutes: number[]): Promise<void> {
      const records = minutes.map((minute) => {
        const at = new Date(Date.UTC(2020, 0, 1, 0, minute));
        const live = { slug: String(minute), at, updatedAt: at };
        return { status: true, published: true, slugs: [live.slug], live };
      });
      await blogs().insertMany(records);
    }

    /** The slugs of each part of the index. */
    async function slugsOfParts(): Promise<string[]> {
      fixture.invalidateCaches();
      const parts = await Promise.all((await pathsOfParts()).map(urlsOf));
      return parts.map((urls) =>
        urls
          .map((url) => url.slice(SITE.length + 1))
          .join(' ')
          .trim(),
      );
    }

    it('should move only the end as articles are published', async () => {
      await publish(10, 20, 30, 40, 50, 60);
      await job.run();
      expect(await slugsOfParts()).toEqual(['10 20 30 40 50 60']);
      await publish(70);
      // An article that the job has not seen is in the last part.
      expect(await slugsOfParts()).toEqual(['10 20 30 40 50 60 70']);
      await job.run();
      expect(await slugsOfParts()).toEqual(['10 20 30 40', '50 60 70']);
      await publish(80, 90, 100, 110);
      await job.run();
      expect(await slugsOfParts()).toEqual(['10 20 30 40', '50 60 70 80', '90 100 110']);
    });

    it('should cut a part that articles of earlier dates have made too large, and no other', async () => {
      await publish(10, 20, 30, 40, 50, 60, 70, 80, 90);
      await job.run();
      await publish(1, 2);
      const parts = ['50 60 70 80 90'];
      await job.run();
      expect(await slugsOfParts()).toEqual(['1 2 10 20 30 40', ...parts]);
      await publish(3);
      expect(await slugsOfParts()).toEqual(['1 2 3 10 20 30 40', ...parts]);
      await job.run();
      expect(await slugsOfParts()).toEqual(['1 2 3 10', '20 30 40', ...parts]);
    });

    it('should keep a part that articles have left, until it fits into the one before it', async () => {
      await publish(10, 20, 30, 40, 50, 60, 70, 80, 91, 92, 93);
      await job.run();
      const takeDown = (...slugs: string[]) => blogs().deleteMany({ slugs: { $in: slugs } });
      await takeDown('20', '40', '60');
      await job.run();
      expect(await slugsOfParts()).toEqual(['10 30', '50 70 80', '91 92 93']);
      await takeDown('70');
      expect(await slugsOfParts()).toEqual(['10 30', '50 80', '91 92 93']);
      await job.run();
      expect(await slugsOfParts()).toEqual(['10 30 50 80', '91 92 93']);
    });

    it.each([
      ['when there are none', () => kept().deleteMany({}), true],
      ['after 999 changes', () => change(999), false],
      ['after 1,000 changes', () => change(1_000), true],
      ['after an import of 1,000 articles', () => storeMany(1_000, 'b'), true],
      ['after a day', () => kept().updateMany({}, [ABOVE_A_DAY_AGO]), true],
    ])('should find them anew %s', async (_when, act, isDue) => {
      await storeMany(1_000);
      await job.run();
      expect(await job.isDue()).toBe(false);
      await act();
      expect(await job.isDue()).toBe(isDue);
    });

    /** Changes articles as an edit or a publication does. */
    async function change(count: number): Promise<void> {
      const ids = (await blogs().find().limit(count).toArray()).map(({ _id }) => _id);
      await blogs().updateMany({ _id: { $in: ids } }, { $currentDate: { updatedAt: true } });
    }
  });

  it('should read articles no faster than the client takes them', async () => {
    // 28 MB, more than the buffers of a connection hold.
    await storeMany(20_000, '漢'.repeat(150));
    const [part = ''] = await pathsOfParts();
    const { body } = await fetch(fixture.url + part, { headers: fixture.client.headers });
    const reader = body?.getReader();
    await reader?.read();
    await fixture.db.collection('blogs').deleteMany({});
    let end = '';
    for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
      end = (end + new TextDecoder().decode(chunk.value as Uint8Array)).slice(-10_000);
    }
    expect(end.endsWith('</urlset>')).toBe(true);
    // The last articles were deleted before the server read them.
    expect(end.includes('-19999</loc>')).toBe(false);
  });
});
