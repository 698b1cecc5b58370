import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Types } from 'mongoose';
import { PictureStoreError } from '../../../../src/blog/media/storage/picture-store.errors.js';
import { S3Store } from '../../../../src/blog/media/storage/s3-store.js';
import { parseS3Url, type S3Location } from '../../../../src/platform/config/media/s3-url.js';
import { temporaryFolder } from '../../../support/process.js';
import { SECRET, startFakeS3, type FakeS3, type Fault } from './fake-s3.js';

/** Larger than what the sockets of both sides hold. */
const BYTES = Buffer.alloc(3_000_000, 'pixels of a picture ');
const PATIENCE = { connectMs: 500, idleMs: 600, totalMs: 10_000, delaysMs: [10, 10] };

describe('S3Store', () => {
  let fake: FakeS3;
  let folder: string;
  let source: string;
  let target: string;
  let store: S3Store;
  let id: Types.ObjectId;

  beforeAll(async () => {
    fake = await startFakeS3();
    // Its warnings are part of the tests over HTTP.
    Logger.overrideLogger(false);
  });

  afterAll(() => Logger.overrideLogger(undefined as never));

  const storeAt = (url: string, patience = PATIENCE): S3Store =>
    new S3Store(parseS3Url(url) as S3Location, patience);

  const stored = (): Buffer | undefined => fake.objects.get(`/bucket/news/${id.toHexString()}`);

  beforeEach(async () => {
    fake.faults.length = 0;
    fake.always = undefined;
    fake.requests.length = 0;
    folder = await temporaryFolder();
    source = join(folder, 'source');
    target = join(folder, 'target');
    await writeFile(source, BYTES);
    store = storeAt(fake.setting);
    id = new Types.ObjectId();
  });

  it('should store a file under its prefix, with its length and not in chunks, and read it back', async () => {
    expect(await store.has(id)).toBe(false);
    await store.write(id, source);
    expect(stored()?.equals(BYTES)).toBe(true);
    const { headers = {} } = fake.requests.find(({ method }) => method === 'PUT') ?? {};
    expect(headers).toMatchObject({
      'content-length': String(BYTES.length),
      authorization: expect.stringContaining('Credential=KEY/'),
    });
    expect([headers['transfer-encoding'], headers['content-encoding'], headers.expect]).toEqual(
      Array(3).fill(undefined),
    );
    expect(await store.has(id)).toBe(true);
    await store.read(id, target);
    expect((await readFile(target)).equals(BYTES)).toBe(true);
  });

  it('should remove, as often as it is asked', async () => {
    await store.write(id, source);
    for (let time = 0; time < 2; time += 1) await store.remove(id);
    expect(await store.has(id)).toBe(false);
    await expect(store.read(id, target)).rejects.toThrow('the store has no such picture');
    expect(await readdir(folder)).toEqual(['source']);
  });

  it.each<Fault>([500, 503, 'hang', 'cut'])('should try again after %s', async (fault) => {
    fake.faults.push(fault);
    await store.write(id, source);
    expect(stored()?.equals(BYTES)).toBe(true);
    fake.faults.push(fault);
    await store.read(id, target);
    expect((await readFile(target)).equals(BYTES)).toBe(true);
    fake.faults.push(fault);
    await store.remove(id);
    expect(await store.has(id)).toBe(false);
  });

  it.each<Fault>([500, 'hang', 'cut'])('should give up after three times %s', async (fault) => {
    await store.write(id, source);
    fake.requests.length = 0;
    fake.always = fault;
    await expect(store.write(id, source)).rejects.toThrow(PictureStoreError);
    expect(fake.requests).toHaveLength(3);
    await expect(store.read(id, target)).rejects.toThrow(PictureStoreError);
    expect(fake.requests).toHaveLength(6);
    expect(await readdir(folder)).toEqual(['source']);
  });

  it('should not repeat what is refused, and say what to do without a text of the store', async () => {
    fake.always = 403;
    const error = await store.write(id, source).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      codes: 'AccessDenied 403',
      advice: expect.stringContaining('Correct the key and the secret in MEDIA_S3_URL'),
    });
    expect(fake.requests).toHaveLength(1);
    expect(JSON.stringify(error)).not.toContain(SECRET);
  });

  it('should take no longer than its time, however slowly bytes come', async () => {
    fake.always = 'hang';
    const patience = { ...PATIENCE, idleMs: 60_000, totalMs: 200 };
    await expect(storeAt(fake.setting, patience).write(id, source)).rejects.toMatchObject({
      codes: 'no answer in time',
    });
    expect(fake.requests).toHaveLength(1);
  });

  it('should name a bucket that is not there, and a port where nobody listens', async () => {
    const wrong = storeAt(fake.setting.replace('/bucket/', '/other/'));
    await expect(wrong.write(id, source)).rejects.toMatchObject({
      codes: 'NoSuchBucket 404',
      advice: expect.stringContaining('Create the bucket'),
    });
    await expect(wrong.read(id, target)).rejects.toMatchObject({ codes: 'NoSuchBucket 404' });
    await expect(
      storeAt('s3://KEY:x@127.0.0.1:1/bucket?tls=off').read(id, target),
    ).rejects.toMatchObject({
      codes: 'ECONNREFUSED',
      advice: expect.stringContaining('reaches the host'),
    });
  });

  it('should end what is under way when it is closed', async () => {
    fake.always = 'hang';
    const patience = { ...PATIENCE, idleMs: 60_000, totalMs: 60_000 };
    const slow = storeAt(fake.setting, patience);
    const writing = expect(slow.write(id, source)).rejects.toThrow(PictureStoreError);
    await slow.close();
    await writing;
  });

  it('should say which file it cannot read', async () => {
    await expect(store.write(id, join(folder, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
