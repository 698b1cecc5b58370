import { existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { MediaJob } from '../../../../src/blog/media/use/media.job.js';
import { person, type Person } from '../../../support/factories.js';
import { fetchPicture, pictureFile, upload, uploaded } from '../../../support/media/pictures.js';
import { temporaryFolder } from '../../../support/process.js';
import { startApp, type TestApp } from '../../../support/start-app.js';
import { HOUR, holdClock } from '../../../support/time/clock.js';
import { until } from '../../../support/time/wait.js';
import { SECRET, startFakeS3, type FakeS3 } from './fake-s3.js';

describe('pictures in S3', () => {
  let fake: FakeS3;
  let server: TestApp;
  let author: Person;
  let folder: string;

  beforeAll(async () => {
    fake = await startFakeS3();
    folder = await temporaryFolder();
    const env = { MEDIA_S3_URL: fake.setting, MEDIA_CACHE_DIR: folder };
    server = await startApp({ env });
    author = await person(server, 'AUTHOR');
  });

  beforeEach(() => {
    fake.always = undefined;
    fake.faults.length = 0;
    fake.requests.length = 0;
  });

  /** Runs MediaJob once all files are due. */
  const runJob = async (): Promise<string | null> => {
    const clock = holdClock(server.app, Date.now() + 2 * HOUR);
    const running = server.app.get(MediaJob).run(new AbortController().signal);
    return running.finally(() => clock.release());
  };
  const filesIn = (name: string): string[] =>
    existsSync(join(folder, name)) ? readdirSync(join(folder, name)) : [];
  /** What a machine has that was not asked for a picture yet. */
  const emptyFolder = (): Promise<void> => rm(join(folder, 'pictures'), { recursive: true });
  const countOf = (name: string): Promise<number> => server.db.collection(name).countDocuments();

  it('should be stored there and not in the database, and served in their sizes', async () => {
    const { url, sources, _id } = await uploaded(author.client, { width: 500, height: 400 });
    expect([fake.objects.size, await countOf('pictures.files')]).toEqual([1, 0]);
    await emptyFolder();
    const widthOf = async (address: string): Promise<number> => {
      const answer = await fetchPicture(server, address);
      return (await sharp(Buffer.from(await answer.arrayBuffer())).metadata()).width;
    };
    expect(await widthOf(url)).toBe(500);
    expect(await widthOf(sources[0]?.srcset.split(' ')[0] ?? '')).toBe(320);
    await author.client.delete(`/media/id/${_id}`);
    await runJob();
  });

  it('should be stored once, and be removed with the last record', async () => {
    const editor = await person(server, 'EDITOR');
    const file = await pictureFile();
    const first = (await upload(author.client, file)).body.data;
    const second = (await upload(editor.client, file)).body.data;
    expect(fake.objects.size).toBe(2);
    await runJob();
    expect(fake.objects.size).toBe(1);
    await author.client.delete(`/media/id/${first._id}`);
    await runJob();
    expect(fake.objects.size).toBe(1);
    await editor.client.delete(`/media/id/${second._id}`);
    expect(await runJob()).toBe('removed 0 unused pictures and 1 files');
    expect([fake.objects.size, await countOf('media_files')]).toEqual([0, 0]);
  });

  it.each([500, 'cut'] as const)(
    'should be refused by 503 while the store answers %s, and leave nothing',
    async (fault) => {
      fake.always = fault;
      const { status, headers, body } = await upload(author.client, await pictureFile());
      expect([status, headers.get('retry-after'), body.message]).toEqual([
        503,
        '1',
        'the store of pictures does not work at the moment: try again later',
      ]);
      expect(fake.requests).toHaveLength(3);
      expect([filesIn('pictures'), await countOf('media')]).toEqual([[], 0]);
      // The file of a request is removed once it is answered.
      await until('no file of an upload', () => filesIn('uploads').length === 0);
      // The store may have taken what it has not confirmed.
      await expect(runJob()).rejects.toThrow('the store of pictures does not work');
      fake.always = undefined;
      await runJob();
      expect([fake.objects.size, await countOf('media_files')]).toEqual([0, 0]);
    },
  );

  it('should be taken when the store fails once', async () => {
    fake.faults.push(503);
    const { _id } = await uploaded(author.client);
    expect([fake.requests.length, fake.objects.size]).toEqual([2, 1]);
    await author.client.delete(`/media/id/${_id}`);
    await runJob();
  });

  it('should answer 503 while the store cannot be read, and serve later', async () => {
    const { url } = await uploaded(author.client);
    await emptyFolder();
    fake.always = 500;
    const refused = await fetchPicture(server, url);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(refused.headers.get('cache-control')).toBe('no-store');
    fake.always = undefined;
    expect((await fetchPicture(server, url)).status).toBe(200);
    expect(filesIn('pictures')).toHaveLength(1);
  });

  it('should warn the operator without a secret', () => {
    const warnings = server.log.filter((line) => line.includes('the store of MEDIA_S3_URL'));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('InternalError 500');
    expect(server.log.join('')).not.toContain(SECRET);
  });
});
