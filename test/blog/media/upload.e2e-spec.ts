import { beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { person, type Person } from '../../support/factories.js';
import {
  drawn,
  fetchPicture,
  pictureFile,
  upload,
  uploaded,
} from '../../support/media/pictures.js';
import { startApp, type TestApp } from '../../support/start-app.js';

describe('POST /media', () => {
  let server: TestApp;
  let author: Person;

  beforeAll(async () => {
    server = await startApp();
    author = await person(server, 'AUTHOR');
  });

  it.each(['jpeg', 'png', 'webp', 'avif', 'gif'] as const)('should take %s', async (format) => {
    const file = await pictureFile(format, 400, 300);
    const { status, body } = await upload(author.client, file, { alt: 'noise' });
    expect([status, body.message]).toEqual([200, 'success']);
    expect(body.data).toMatchObject({ alt: 'noise', width: 400, height: 300, pinned: false });
    const answer = await fetchPicture(server, body.data.url);
    expect(answer.status).toBe(200);
    const served = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
    expect(answer.headers.get('content-type')).toBe(`image/${served.format}`);
    expect(['jpeg', 'png']).toContain(served.format);
  });

  it('should turn a picture upright, and drop where it was taken', async () => {
    const file = await drawn(400, 300)
      .withExif({ IFD3: { GPSLatitudeRef: 'N' }, IFD0: { Copyright: 'Ada' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { body } = await upload(author.client, file);
    expect(body.data).toMatchObject({ width: 300, height: 400 });
    const answer = await fetchPicture(server, body.data.url);
    const metadata = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
    expect([metadata.exif, metadata.icc, metadata.xmp]).toEqual([undefined, undefined, undefined]);
  });

  it('should serve the widths below that of the picture', async () => {
    const { sources } = await uploaded(author.client, { width: 1_000, height: 500 });
    expect(sources.map(({ type }) => type)).toEqual(['image/webp', 'image/jpeg']);
    const candidates = sources[0]?.srcset.split(', ') ?? [];
    expect(candidates.map((each) => each.split(' ')[1])).toEqual(['320w', '640w', '960w', '1000w']);
    const answer = await fetchPicture(server, candidates[0]?.split(' ')[0] ?? '');
    expect(answer.status).toBe(200);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(await sharp(bytes).metadata()).toMatchObject({
      format: 'webp',
      width: 320,
      height: 160,
    });
  });
});
