import { beforeAll, describe, expect, it } from '@jest/globals';
import type { BlogFixture } from '../blog/core/fixture.js';
import { blogIn } from '../support/factories.js';
import { upload, uploaded } from '../support/media/pictures.js';
import { tinyPng } from '../support/media/tiny-png.js';
import { FEED_PATHS, openFeedsFixture, readFeed } from './fixture.js';

const PUBLIC_URL = 'https://press.example';

describe('the pictures of feeds', () => {
  let fixture: BlogFixture;
  /** The addresses of the covers with their media types, the newest first. */
  let covers: readonly (readonly [url: string, type: string])[];

  beforeAll(async () => {
    fixture = await openFeedsFixture({ PUBLIC_URL });
    const { author, editor } = fixture;
    const large = await uploaded(author.client, { width: 1_500, height: 20 });
    const tiny = (await upload(author.client, tinyPng(), {}, { name: 'tiny.png' })).body.data;
    await blogIn('live', author, editor);
    for (const { _id: media } of [tiny, large]) {
      await blogIn('live', author, editor, { cover: { media } });
    }
    covers = [
      [`${PUBLIC_URL}/media/${large._id}/1280.jpg`, 'image/jpeg'],
      [`${PUBLIC_URL}/media/${tiny._id}/tiny.png`, 'image/png'],
    ];
  });

  it.each(FEED_PATHS)('should be the covers of articles in %s', async (path) => {
    const { entries } = await readFeed(fixture.client, path);
    expect(entries.map(({ image }) => image)).toEqual([
      ...covers.map(([url]) => url),
      expect.stringMatching(/^https:\/\/example\.org\//),
    ]);
  });

  it('should have the type of a cover, and none that is not known', async () => {
    const [rss, atom] = await Promise.all(
      FEED_PATHS.map(async (path) => (await fixture.client.get(path)).text),
    );
    for (const [url, type] of covers) {
      const media = `<media:content url="${url}" type="${type}" medium="image"/>`;
      expect(rss).toContain(media);
      expect(atom).toContain(media);
      expect(atom).toContain(`<link href="${url}" rel="enclosure" type="${type}"/>`);
    }
    expect(rss).not.toContain('<enclosure');
    expect(atom?.match(/rel="enclosure"/g)).toHaveLength(covers.length);
    expect(rss).toMatch(/<media:content url="https:\/\/example\.org\/[^"]+" medium="image"\/>/);
  });
});
