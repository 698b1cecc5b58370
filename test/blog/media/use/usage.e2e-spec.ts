import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { MediaJob } from '../../../../src/blog/media/use/media.job.js';
import { Scrape } from '../../../platform/metrics/scrape.js';
import { blogBody, person, type Person } from '../../../support/factories.js';
import {
  fetchPicture,
  upload,
  uploaded,
  type MediaAnswer,
} from '../../../support/media/pictures.js';
import { startApp, type TestApp } from '../../../support/start-app.js';
import { temporaryFolder } from '../../../support/process.js';

const PATH = '/admin/media/usage';

interface Usage {
  readonly pictures: number;
  readonly bytes: number;
  readonly cacheBytes: number;
  readonly owners: readonly object[];
}

describe(`GET ${PATH}`, () => {
  let server: TestApp;
  let admin: Person;

  beforeAll(async () => {
    server = await startApp({
      env: { METRICS_PORT: '0', MEDIA_CACHE_DIR: await temporaryFolder(), MEDIA_CACHE_MB: '64' },
    });
    admin = await person(server, 'ADMIN');
  });

  const usage = async () => (await admin.client.get<Usage>(PATH)).body.data;
  const bytesOf = (pictures: readonly MediaAnswer[]) =>
    pictures.reduce((sum, { bytes }) => sum + bytes, 0);

  it('should tell what pictures take, and name the accounts that take most', async () => {
    expect(await usage()).toEqual({
      pictures: 0,
      bytes: 0,
      unused: 0,
      unusedBytes: 0,
      files: 0,
      cacheBytes: 0,
      cacheMaxBytes: 64 * 1_048_576,
      owners: [],
    });
    const [ada, eve] = [await person(server, 'AUTHOR'), await person(server, 'AUTHOR')];
    const small = await uploaded(eve.client, { width: 400, height: 30 });
    const large = [await uploaded(ada.client), await uploaded(ada.client)] as const;
    await ada.client.post('/blog/author', { ...blogBody(), cover: { media: large[0]._id } });
    expect(await usage()).toMatchObject({
      pictures: 3,
      bytes: bytesOf([small, ...large]),
      files: 3,
      unused: 2,
      unusedBytes: bytesOf([small, large[1]]),
      owners: [
        { user: { _id: ada._id, name: ada.name }, pictures: 2, bytes: bytesOf(large), unused: 1 },
        { user: { _id: eve._id, name: eve.name }, pictures: 1, bytes: small.bytes, unused: 1 },
      ],
    });
  });

  it('should name 20 accounts at most', async () => {
    const many = Array.from({ length: 21 }, (_, index) => ({
      owner: new Types.ObjectId(),
      name: String(index),
      bytes: 1,
      checkAt: new Date(8e15),
    }));
    await server.db.collection('media').insertMany(many);
    const { owners, pictures } = await usage().finally(() =>
      server.db.collection('media').deleteMany({ bytes: 1 }),
    );
    expect([owners.length, pictures > 20]).toEqual([20, true]);
  });

  it('should measure the folder of the machine, as the metrics do', async () => {
    const { client } = await person(server, 'AUTHOR');
    const { url } = await uploaded(client);
    const before = await usage();
    const size = Buffer.from(
      await (await fetchPicture(server, url.replace(/[^/]+\?/, '320.webp?'))).arrayBuffer(),
    ).length;
    const { cacheBytes } = await usage();
    expect(cacheBytes).toBe(before.cacheBytes + size);
    await server.app.get(MediaJob).run(new AbortController().signal);
    const scrape = await Scrape.of(server.metricsUrl);
    expect(scrape.valueOf('pressroom_picture_cache_bytes')).toBe(cacheBytes);
  });

  it('should be joined by counts of what was made and refused, in the metrics', async () => {
    const { client } = await person(server, 'AUTHOR');
    const outcomes = ['made', 'sized', 'refused'] as const;
    const counts = async () => {
      const scrape = await Scrape.of(server.metricsUrl);
      const seconds = scrape.valueOf('pressroom_picture_processing_seconds_total');
      const values = outcomes.map((outcome) =>
        scrape.valueOf(`pressroom_pictures_total{outcome="${outcome}"}`),
      );
      return { values, seconds };
    };
    const before = await counts();
    const { url } = await uploaded(client);
    await fetchPicture(server, url.replace(/[^/]+\?/, '320.webp?'));
    const damaged = Buffer.from('ffd8ffe000104a464946000101', 'hex');
    expect((await upload(client, damaged)).status).toBe(422);
    const after = await counts();
    expect(after.values.map((value, at) => value - (before.values[at] ?? 0))).toEqual([1, 1, 1]);
    expect(after.seconds).toBeGreaterThan(before.seconds);
  });
});
