import { beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Types } from 'mongoose';
import { MediaJob } from '../../../../src/blog/media/use/media.job.js';
import { MediaUses } from '../../../../src/blog/media/use/media-uses.service.js';
import { PictureStore } from '../../../../src/blog/media/storage/picture-store.js';
import { blogBody, person, type Person } from '../../../support/factories.js';
import {
  fetchPicture,
  pictureFile,
  upload,
  uploaded,
  type MediaAnswer,
} from '../../../support/media/pictures.js';
import { startApp, type TestApp } from '../../../support/start-app.js';
import { DAY, holdClock, HOUR, type HeldClock } from '../../../support/time/clock.js';
import { storedPictures } from '../uploads/raw-upload.js';

describe('The job of the media library', () => {
  let server: TestApp;
  let author: Person;
  let clock: HeldClock;

  beforeAll(async () => {
    server = await startApp({ env: { MEDIA_KEEP: '3d' } });
    clock = holdClock(server.app);
  });

  beforeEach(async () => {
    clock.release();
    clock = holdClock(server.app);
    author = await person(server, 'AUTHOR');
  });

  const runJob = () => server.app.get(MediaJob).run(new AbortController().signal);
  /** Runs it so much later. Tokens would have ended by then. */
  const runLater = async (ms: number): Promise<string | null> => {
    clock.advance(ms);
    try {
      return await runJob();
    } finally {
      clock.advance(-ms);
    }
  };
  const exists = async ({ _id }: Pick<MediaAnswer, '_id'>) =>
    (await server.db.collection('media').countDocuments({ _id: new Types.ObjectId(_id) })) === 1;
  const blogWith = ({ _id, name }: MediaAnswer) =>
    author.client.post<{ _id: string }>(
      '/blog/author',
      blogBody({ draftText: `<p><img src="/media/${_id}/${name}" alt="grey"></p>` }),
    );

  it('should store the same file of two people once, and tell neither of the other', async () => {
    const jpeg = await pictureFile('jpeg', 700, 500);
    const people = [author, await person(server, 'AUTHOR')];
    const before = await storedPictures(server);
    const medias: MediaAnswer[] = [];
    for (const { client } of people) medias.push((await upload(client, jpeg)).body.data);
    const look = async (): Promise<unknown[]> => {
      const shown = medias.map(async ({ _id }, index) => {
        const { body } = await (people[index] as Person).client.get<MediaAnswer>(
          `/media/id/${_id}`,
        );
        const picture = await fetchPicture(server, body.data.url);
        const { url: _u, sources: _s, ...view } = body.data;
        const headers = ['etag', 'last-modified', 'content-length'].map((each) =>
          picture.headers.get(each),
        );
        return { view, headers };
      });
      return Promise.all(shown);
    };
    const first = await look();
    await runLater(2 * HOUR);
    const after = await storedPictures(server);
    expect((after['pictures.files'] ?? 0) - (before['pictures.files'] ?? 0)).toBe(1);
    expect(await look()).toEqual(first);

    for (const [index, { client }] of people.entries()) {
      expect((await client.delete(`/media/id/${medias[index]?._id}`)).status).toBe(200);
      await runJob();
      const { 'pictures.files': files = 0 } = await storedPictures(server);
      expect(files - (before['pictures.files'] ?? 0)).toBe(index === 0 ? 1 : 0);
    }
    expect(await storedPictures(server)).toEqual(before);
  });

  it('should remove what nothing uses after MEDIA_KEEP, unless it is pinned', async () => {
    const [unused, pinned, used] = [
      await uploaded(author.client),
      await uploaded(author.client),
      await uploaded(author.client),
    ];
    await author.client.put(`/media/id/${pinned._id}`, { pinned: true });
    expect((await blogWith(used)).status).toBe(200);
    await runLater(2 * DAY);
    expect([await exists(unused), await exists(pinned), await exists(used)]).toEqual([
      true,
      true,
      true,
    ]);
    expect(await runLater(4 * DAY)).toMatch(/^removed \d+ unused pictures/);
    expect([await exists(unused), await exists(pinned), await exists(used)]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('should keep what a draft begins to use during the removal', async () => {
    const media = await uploaded(author.client);
    const uses = server.app.get(MediaUses);
    const find = uses.usesOf.bind(uses);
    const spy = jest.spyOn(uses, 'usesOf').mockImplementation(async (id) => {
      const found = await find(id);
      if (id.toHexString() === media._id) {
        clock.advance(-4 * DAY);
        expect((await blogWith(media)).status).toBe(200);
        clock.advance(4 * DAY);
      }
      return found;
    });
    await runLater(4 * DAY);
    spy.mockRestore();
    expect(await exists(media)).toBe(true);
  });

  it('should remove what a killed upload has left', async () => {
    const before = await storedPictures(server);
    const [withoutBytes, withoutRecord] = [new Types.ObjectId(), new Types.ObjectId()];
    const now = new Date(clock.now());
    const file = { checkAt: new Date(clock.now() + HOUR), createdAt: now };
    await server.db.collection('media_files').insertMany([
      { _id: withoutBytes, digest: '1', ...file },
      { _id: withoutRecord, digest: '2', isStored: true, ...file },
    ]);
    await server.app.get(PictureStore).write(withoutRecord, import.meta.filename);
    // A chunk of an upload that was killed in the middle.
    await server.db
      .collection('pictures.chunks')
      .insertOne({ files_id: withoutBytes, n: 0, data: Buffer.from('half') });
    await runJob();
    expect((await storedPictures(server))['media_files']).toBe((before['media_files'] ?? 0) + 2);
    expect(await runLater(2 * HOUR)).toBe('removed 0 unused pictures and 2 files');
    expect(await storedPictures(server)).toEqual(before);
  });
});
