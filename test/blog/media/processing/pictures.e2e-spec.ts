import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import sharp, { type Metadata } from 'sharp';
import { PictureProcess } from '../../../../src/blog/media/processing/picture-process.service.js';
import { person, type Person } from '../../../support/factories.js';
import { movingPicture } from '../../../support/hostile/bases.js';
import {
  drawn,
  fetchPicture,
  pictureFile,
  upload,
  uploaded,
} from '../../../support/media/pictures.js';
import { startApp, type TestApp } from '../../../support/start-app.js';
import { until } from '../../../support/time/wait.js';

const SOLID = { width: 60, height: 40, channels: 3 } as const;

describe('The picture of an upload', () => {
  let server: TestApp;
  let author: Person;

  beforeAll(async () => {
    server = await startApp();
    author = await person(server, 'AUTHOR');
  });

  /** Uploads a file. @returns the picture that is served, and what it is */
  async function taken(
    file: Buffer,
  ): Promise<{ bytes: Buffer; metadata: Metadata; sources: number }> {
    const { status, body } = await upload(author.client, file);
    expect([status, body.message]).toEqual([200, 'success']);
    const answer = await fetchPicture(server, body.data.url);
    const bytes = Buffer.from(await answer.arrayBuffer());
    const metadata = await sharp(bytes).metadata();
    expect(answer.headers.get('content-type')).toBe(`image/${metadata.format}`);
    expect([metadata.exif, metadata.icc, metadata.xmp, metadata.iptc]).toEqual(
      Array(4).fill(undefined),
    );
    expect([metadata.space, metadata.depth]).toEqual(['srgb', 'uchar']);
    return { bytes, metadata, sources: body.data.sources.length };
  }

  const pixelOf = async (file: Buffer): Promise<number[]> => [
    ...(await sharp(file).extract({ left: 5, top: 5, width: 1, height: 1 }).raw().toBuffer()),
  ];

  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'should be upright with the orientation %d',
    async (orientation) => {
      // The upper left quarter is red.
      const red = { create: { width: 30, height: 20, channels: 3, background: '#f00' } } as const;
      const picture = sharp({ create: { ...SOLID, background: '#00f' } });
      const upright = await picture
        .composite([{ input: red, left: 0, top: 0 }])
        .png()
        .toBuffer();
      const file = await sharp(upright)
        .withMetadata({ orientation })
        .jpeg({ quality: 100 })
        .toBuffer();
      const expected = await sharp(file).autoOrient().toBuffer();
      const { bytes, metadata } = await taken(file);
      const { width, height } = await sharp(expected).metadata();
      expect([metadata.width, metadata.height, metadata.orientation]).toEqual([
        width,
        height,
        undefined,
      ]);
      const [given = [], served = []] = [await pixelOf(expected), await pixelOf(bytes)];
      served.forEach((value, index) =>
        expect(Math.abs(value - (given[index] ?? 0))).toBeLessThan(12),
      );
    },
  );

  it('should have the colours of sRGB', async () => {
    // These numbers mean a stronger colour in Display P3.
    const file = await sharp({ create: { ...SOLID, background: { r: 200, g: 60, b: 60 } } })
      .withIccProfile('p3')
      .png()
      .toBuffer();
    expect((await sharp(file).metadata()).hasProfile).toBe(true);
    const stored = await sharp(file, { ignoreIcc: true }).raw().toBuffer();
    const { bytes } = await taken(file);
    const converted = await sharp(file).toColourspace('srgb').raw().toBuffer();
    const served = await pixelOf(bytes);
    served.forEach((value, index) =>
      expect(Math.abs(value - (converted[index] ?? 0))).toBeLessThan(3),
    );
    expect(served[0]).not.toBe(stored[0]);
  });

  it('should keep its transparency', async () => {
    for (const format of ['png', 'webp', 'avif'] as const) {
      const file = await drawn(60, 40, 4).toFormat(format).toBuffer();
      const { metadata, bytes } = await taken(file);
      expect([format, metadata.format, metadata.hasAlpha]).toEqual([format, 'png', true]);
      const [, , , alpha = 0] = await pixelOf(bytes);
      expect(Math.abs(alpha - 128)).toBeLessThan(8);
    }
  });

  it.each(['gif', 'webp'] as const)('should keep moving as %s, in one size', async (format) => {
    const file = await movingPicture(format, { frames: 3, width: 800, height: 40 });
    const { metadata, bytes, sources } = await taken(file);
    expect(metadata).toMatchObject({ format, width: 800, height: 40 });
    expect((await sharp(bytes, { pages: -1 }).metadata()).pages).toBe(3);
    expect(sources).toBe(0);
  });

  it('should be shown by every browser, whatever it was', async () => {
    const files: Readonly<Record<string, Promise<Buffer>>> = {
      'a PNG of 16 bits': drawn(60, 40).toColourspace('rgb16').png().toBuffer(),
      'a JPEG in CMYK': drawn(60, 40).toColourspace('cmyk').jpeg().toBuffer(),
      'a grey JPEG': drawn(60, 40).toColourspace('b-w').jpeg().toBuffer(),
      'a grey PNG with transparency': drawn(60, 40, 4).toColourspace('b-w').png().toBuffer(),
      'a PNG with a palette': drawn(60, 40).png({ palette: true }).toBuffer(),
      'a progressive JPEG': drawn(60, 40).jpeg({ progressive: true }).toBuffer(),
      'an interlaced PNG': drawn(60, 40).png({ progressive: true }).toBuffer(),
    };
    for (const [what, file] of Object.entries(files)) {
      const { metadata } = await taken(await file);
      const format = what.includes('PNG') ? 'png' : 'jpeg';
      expect([what, metadata.format, metadata.width, metadata.height]).toEqual([
        what,
        format,
        60,
        40,
      ]);
    }
  });

  it('should be refused when it takes too long or too much memory, and the next one taken', async () => {
    const { limits } = server.app.get(PictureProcess);
    const before = { ...limits };
    const large = await pictureFile('png', 3_000, 2_000);
    limits.taskMs = 1;
    const late = await upload(author.client, large);
    expect([late.status, late.body.message]).toEqual([
      422,
      'the picture cannot be used: it takes too long to read',
    ]);
    Object.assign(limits, before, { memoryMax: 20 * 1_048_576 });
    const heavy = await upload(author.client, large);
    expect([heavy.status, heavy.body.message]).toEqual([
      422,
      'the picture cannot be used: it takes too much memory, or is damaged',
    ]);
    Object.assign(limits, before);
    await uploaded(author.client, { width: 60, height: 40 });
  });

  it('should not suffer from the end of the process that has read others', async () => {
    const pictures = server.app.get(PictureProcess);
    await uploaded(author.client, { width: 60, height: 40 });
    const { pid = 0 } = pictures;
    process.kill(pid, 'SIGKILL');
    await uploaded(author.client, { width: 60, height: 40 });
    await until('another process', () => pictures.pid !== undefined && pictures.pid !== pid);
  });

  it('should take ten of 12 megapixels at once in little memory', async () => {
    const other = await person(server, 'AUTHOR');
    const file = await drawn(400, 300).resize(4_000, 3_000).jpeg().toBuffer();
    const startedAt = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => upload((index < 5 ? author : other).client, file)),
    );
    const seconds = ((performance.now() - startedAt) / 10_000).toFixed(2);
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const { pid } = server.app.get(PictureProcess);
    const [, kib] = /VmHWM:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
    const megabytes = Math.round(Number(kib) / 1_024);
    process.stdout.write(`12 megapixels: ${seconds} s each, picture process ${megabytes} MB\n`);
    expect(megabytes).toBeLessThan(300);
  });

  it('should be refused with 503 when too many wait', async () => {
    const { limits } = server.app.get(PictureProcess);
    const { waitingMax } = limits;
    limits.waitingMax = 0;
    const { status, headers } = await upload(author.client, await pictureFile('jpeg', 60, 40));
    limits.waitingMax = waitingMax;
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
  });
});
