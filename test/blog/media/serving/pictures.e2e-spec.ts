import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { PictureProcess } from '../../../../src/blog/media/processing/picture-process.service.js';
import { blogIn, person, type Person } from '../../../support/factories.js';
import { fetchPicture, uploaded, type MediaAnswer } from '../../../support/media/pictures.js';
import { temporaryFolder } from '../../../support/process.js';
import { startApp, type TestApp } from '../../../support/start-app.js';
import { holdClock, MINUTE } from '../../../support/time/clock.js';

describe('GET /media/:id/:file', () => {
  let server: TestApp;
  let other: TestApp;
  let author: Person;
  let folder: string;
  let media: MediaAnswer;
  let address: string;

  beforeAll(async () => {
    folder = await temporaryFolder();
    const env = { PUBLIC_CACHE: '1h', MEDIA_CACHE_DIR: folder };
    server = await startApp({ env });
    other = await startApp({ env, uri: server.uri });
    author = await person(server, 'AUTHOR');
    const editor = await person(server, 'EDITOR');
    media = await uploaded(author.client, { width: 700, height: 400 });
    address = `/media/${media._id}/${media.name}`;
    await blogIn('live', author, editor, { draftText: `<p><img src="${address}" alt="grey"></p>` });
  });

  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetchPicture(server, path, { headers, method });
  /** Reads a picture from its file: memory answers no conditions. */
  const readFile = (path: string) => get(path, { 'if-none-match': '"other"' });

  it('should be a picture and nothing else, stored by caches', async () => {
    const answer = await get(address);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': `inline; filename="${media.name}"`,
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=0, must-revalidate, s-maxage=3600',
      'cache-tag': `media-${media._id}`,
      'accept-ranges': 'bytes',
      'content-length': String(media.bytes),
    });
    expect(answer.headers.get('vary') ?? '').not.toContain('API');
  });

  it('should answer HEAD as GET, without the picture', async () => {
    const [full, head] = [await get(address), await get(address, {}, 'HEAD')];
    expect(head.status).toBe(200);
    for (const name of ['content-type', 'content-length', 'etag', 'content-security-policy']) {
      expect([name, head.headers.get(name)]).toEqual([name, full.headers.get(name)]);
    }
    expect((await head.arrayBuffer()).byteLength).toBe(0);
  });

  it('should honour conditions', async () => {
    const first = await get(address);
    const etag = first.headers.get('etag') ?? '';
    const modified = first.headers.get('last-modified') ?? '';
    expect((await get(address, { 'if-none-match': etag })).status).toBe(304);
    expect((await get(address, { 'if-none-match': '"other"' })).status).toBe(200);
    expect((await get(address, { 'if-modified-since': modified })).status).toBe(304);
    const before = new Date(Date.parse(modified) - 1_000).toUTCString();
    expect((await get(address, { 'if-modified-since': before })).status).toBe(200);
    const unchanged = await get(address, { 'if-none-match': etag });
    expect(unchanged.headers.get('cache-tag')).toBe(`media-${media._id}`);
    expect(unchanged.headers.get('content-type')).toBeNull();
  });

  it('should honour ranges, and send all for one that is not in the picture', async () => {
    const whole = Buffer.from(await (await get(address)).arrayBuffer());
    const part = await get(address, { range: 'bytes=10-19' });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes 10-19/${whole.length}`);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.subarray(10, 20));
    const stale = await get(address, { range: 'bytes=10-19', 'if-range': '"other"' });
    expect(stale.status).toBe(200);
    for (const headers of [{ range: `bytes=${whole.length}-` }, { 'if-match': '"other"' }]) {
      const answer = await get(address, headers);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(whole);
    }
  });

  it.each([
    '641.webp',
    '960.webp',
    '320.png',
    '0.webp',
    '320.avif',
    'full.jpg',
    'other.jpg',
    '320.html',
  ])('should not have the size %s', async (file) => {
    const answer = await get(`/media/${media._id}/${file}`);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store']);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  });

  it('should open other pictures by signed addresses, for 15 minutes', async () => {
    const draft = await uploaded(author.client, { width: 400, height: 300 });
    const { pathname, search } = new URL(draft.url, 'http://a');
    const signed = await get(pathname + search);
    expect([signed.status, signed.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(signed.headers.get('cache-tag')).toBeNull();
    const sized = await get(pathname.replace(/[^/]+$/, '320.webp') + search);
    expect(sized.status).toBe(200);
    const query = new URLSearchParams(search);
    const changed = (name: string, value: string) => {
      const copy = new URLSearchParams(query);
      copy.set(name, value);
      return `${pathname}?${copy.toString()}`;
    };
    const later = String(Number(query.get('until')) + 60);
    const forged = [
      pathname,
      changed('until', later),
      changed('signature', 'A'.repeat(22)),
      changed('signature', ''),
      changed('preview', '0'.repeat(64)),
      pathname.replace(draft._id, media._id) + search,
    ];
    for (const path of forged) {
      const { status, headers } = await get(path);
      expect([path, [400, 404].includes(status)]).toEqual([path, true]);
      expect([path, headers.get('cache-control')]).toEqual([path, 'no-store']);
    }
    const clock = holdClock(server.app);
    clock.advance(9 * MINUTE);
    expect((await get(pathname + search)).status).toBe(200);
    clock.advance(7 * MINUTE);
    expect((await get(pathname + search)).status).toBe(404);
    clock.release();
  });

  it('should make a size once, whichever process is asked', async () => {
    const counts = [server, other].map(({ app }) => app.get(PictureProcess).counts);
    const made = () => counts.reduce((sum, each) => sum + each.sized, 0);
    const before = made();
    const path = address.replace(/[^/]+$/, '640.webp');
    const asked = Array.from({ length: 12 }, (_, index) =>
      fetchPicture(index % 2 === 0 ? server : other, path),
    );
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(made() - before).toBe(1);
    expect(
      (await readdir(join(folder, 'pictures'))).filter((name) => /lock|^\./.test(name)),
    ).toEqual([]);
  });

  it('should be the same after the folder was deleted', async () => {
    const path = address.replace(/[^/]+$/, '320.webp');
    const [first, etag] = [await get(path), (await get(address)).headers.get('etag')];
    await rm(folder, { recursive: true, force: true });
    expect((await readFile(address)).headers.get('etag')).toBe(etag);
    await rm(folder, { recursive: true });
    const again = await readFile(path);
    expect([again.status, again.headers.get('etag')]).toEqual([200, first.headers.get('etag')]);
  });

  it('should answer 503 when the disk cannot be used, and then recover', async () => {
    // The tests may run as root, for whom no folder is read-only.
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'pictures'), 'a file where the folder should be');
    await writeFile(join(folder, 'uploads'), 'another one');
    const answer = await readFile(address);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await answer.json()).toMatchObject({
      message: 'the server cannot use its disk at the moment: try again in a moment',
    });
    await expect(uploaded(author.client)).rejects.toThrow('cannot use its disk');
    await rm(folder, { recursive: true });
    expect((await readFile(address)).status).toBe(200);
  });

  it('should keep a small picture in memory, as it is in its file', async () => {
    const essenceOf = async (answer: Response) => {
      const { date, 'x-request-id': _, ...headers } = Object.fromEntries(answer.headers);
      return [answer.status, headers, Buffer.from(await answer.arrayBuffer())];
    };
    const read = await essenceOf(await readFile(address));
    await get(address);
    await rm(folder, { recursive: true, force: true });
    expect(await essenceOf(await get(address))).toEqual(read);
    expect(await readdir(folder).catch(() => null)).toBeNull();
  });
});
