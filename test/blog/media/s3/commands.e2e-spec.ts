import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PictureMove } from '../../../../src/blog/media/storage/picture-move.service.js';
import { PictureStores } from '../../../../src/blog/media/storage/picture-stores.service.js';
import { openCommandFixture, type CommandFixture } from '../../../cli/fixture.js';
import { person, type Person } from '../../../support/factories.js';
import { fetchPicture, uploaded, type MediaAnswer } from '../../../support/media/pictures.js';
import { temporaryFolder } from '../../../support/process.js';
import { SECRET, startFakeS3, type FakeS3 } from './fake-s3.js';

// Each command starts a process.
jest.setTimeout(120_000);

const NONE = { copied: 0, known: 0, removed: 0, missing: 0 };

describe('commands with MEDIA_S3_URL', () => {
  let fake: FakeS3;
  let cache: string;
  let fixture: CommandFixture;
  let author: Person;
  const pictures: MediaAnswer[] = [];

  beforeAll(async () => {
    fake = await startFakeS3();
    cache = await temporaryFolder();
    fixture = await openCommandFixture({ MEDIA_CACHE_DIR: cache, MEDIA_S3_URL: fake.setting });
    author = await person(fixture.server, 'AUTHOR');
    for (let count = 0; count < 6; count += 1) pictures.push(await uploaded(author.client));
  });

  beforeEach(() => {
    fake.requests.length = 0;
  });

  const inDatabase = (): Promise<number> =>
    fixture.server.db.collection('pictures.files').countDocuments();

  it('doctor should write, read and remove an object', async () => {
    const { stdout } = await fixture.run(['doctor']);
    expect(stdout).toMatch(
      /^ok +pictures +the store of MEDIA_S3_URL writes, reads and removes, in/m,
    );
    expect(fake.requests.map(({ method }) => method)).toEqual(['PUT', 'GET', 'DELETE', 'HEAD']);
    expect(fake.objects.size).toBe(6);
  });

  it('doctor should say what to do when the store refuses, and leave nothing', async () => {
    fake.faults.push('none', 403);
    const { stdout, stderr } = await fixture.run(['doctor']);
    expect(stdout).toMatch(
      /^fail +pictures +MEDIA_S3_URL: cannot read an object \(AccessDenied 403\)\. Correct the key .*objects\.$/m,
    );
    expect(fake.requests.map(({ method }) => method)).toEqual(['PUT', 'GET', 'DELETE']);
    expect(stdout + stderr).not.toContain(SECRET);
  });

  it('doctor should say what is wrong with the setting, without its secret', async () => {
    const env = { MEDIA_S3_URL: `s3://KEY:${SECRET}@a.example/bucket` };
    const { stdout, stderr } = await fixture.run(['doctor'], { env });
    expect(stdout).toMatch(/^fail +settings +MEDIA_S3_URL must be a URL such as .*: write each/m);
    expect(stdout + stderr).not.toContain(SECRET);
  });

  it('media move should go on after a failure, and copy only with --keep', async () => {
    // Four at a time are looked for in S3 and read from it.
    fake.faults.push(404, 404, 403);
    const failed = await fixture.run(['media', 'move', '--from', 's3', '--to', 'gridfs', '--keep']);
    expect(failed.code).toBe(1);
    expect(failed.stderr).toMatch(
      /^After 1 pictures the store of MEDIA_S3_URL has failed \(403\): run this again to go on\. Correct/m,
    );
    expect(await inDatabase()).toBe(1);
    const rest = await fixture.json(['media', 'move', '--from', 's3', '--to', 'gridfs', '--keep'], {
      code: 0,
    });
    expect(rest).toEqual({ copied: 5, known: 1, removed: 0, missing: 0 });
    expect([fake.objects.size, await inDatabase()]).toEqual([6, 6]);
    const same = await fixture.run(['media', 'move', '--from', 's3', '--to', 's3']);
    expect([same.code, same.stderr]).toEqual([
      1,
      '--from and --to are the same: name both stores.\n',
    ]);
  });

  it('a move should end with every picture in the other store, and tell of one in neither', async () => {
    const { app, db } = fixture.server;
    const { gridfs, s3 = gridfs } = app.get(PictureStores);
    const move = async (from: typeof s3, to: typeof s3): Promise<typeof NONE> => {
      const report = { ...NONE };
      await app.get(PictureMove).run(from, to, false, report);
      return report;
    };
    expect(await move(s3, gridfs)).toEqual({ ...NONE, known: 6, removed: 6 });
    expect([fake.objects.size, await inDatabase()]).toEqual([0, 6]);
    expect(await move(s3, gridfs)).toEqual({ ...NONE, known: 6 });

    expect(await move(gridfs, s3)).toEqual({ ...NONE, copied: 6, removed: 6 });
    expect([fake.objects.size, await inDatabase()]).toEqual([6, 0]);
    expect(await db.collection('pictures.chunks').countDocuments()).toBe(0);
    await rm(join(cache, 'pictures'), { recursive: true });
    for (const { _id, bytes } of pictures) {
      const { body } = await author.client.get<MediaAnswer>(`/media/id/${_id}`);
      const answer = await fetchPicture(fixture.server, body.data.url);
      expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, bytes]);
    }

    const [lost = ''] = fake.objects.keys();
    fake.objects.delete(lost);
    expect(await move(s3, gridfs)).toEqual({ ...NONE, copied: 5, removed: 5, missing: 1 });
  });
});
