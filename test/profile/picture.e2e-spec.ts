import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { MediaJob } from '../../src/blog/media/use/media.job.js';
import { openBlogFixture, type BlogFixture } from '../blog/core/fixture.js';
import { runAccountJobs } from '../blog/handover/account-jobs.js';
import { relay } from '../blog/history/stored-events.js';
import { blogIn, blogBody, PASSWORD, person, type Person } from '../support/factories.js';
import { fetchPicture, uploaded, type MediaAnswer } from '../support/media/pictures.js';
import { startApp } from '../support/start-app.js';
import { DAY, holdClock } from '../support/time/clock.js';
import { until } from '../support/time/wait.js';

interface Profile {
  readonly profilePicUrl?: string;
  readonly picture?: Pick<MediaAnswer, 'focus' | 'url' | 'sources' | 'width' | 'height'> & {
    readonly media: string;
    readonly thumbhash: string;
  };
}

const PATH = '/profile/mine/picture';
const ELSEWHERE = 'https://example.org/ada.png';

describe(`PUT ${PATH}`, () => {
  let fixture: BlogFixture;
  let ada: Person;
  let picture: MediaAnswer;

  beforeAll(async () => {
    fixture = await openBlogFixture({ env: { PUBLIC_URL: 'https://press.example' } });
    // With no admin in the database, every deletion would be refused.
    await person(fixture, 'ADMIN');
  });

  beforeEach(async () => {
    ada = await person(fixture, 'AUTHOR');
    picture = await uploaded(ada.client, { width: 1_300, height: 26 });
    await ada.client.put(`/media/id/${picture._id}`, { focus: { x: 0.5, y: 0.25 } });
  });

  const choose = (body: object) => ada.client.put<Profile>(PATH, body);
  const chosen = async (body: object): Promise<Profile> => (await choose(body)).body.data;
  const update = async (body: object): Promise<Profile> =>
    (await ada.client.put<Profile>('/profile/mine', body)).body.data;
  const addressOf = ({ _id }: MediaAnswer) => `https://press.example/media/${_id}/1280.jpg`;
  const statusOf = async ({ _id }: MediaAnswer, server: { readonly url: string } = fixture) =>
    (await fetchPicture(server, `/media/${_id}/640.webp`)).status;
  const stored = () => fixture.db.collection('users').findOne({ _id: new Types.ObjectId(ada._id) });
  const removeAccount = async () => {
    const { status } = await ada.client.delete('/profile/mine', { body: { password: PASSWORD } });
    expect(status).toBe(200);
    await runAccountJobs(fixture);
  };

  it('should show a picture of the library in all views of the person, and open it to everybody', async () => {
    expect(await statusOf(picture)).toBe(404);
    await blogIn('live', ada, fixture.editor);
    const url = addressOf(picture);
    const shown = {
      profilePicUrl: url,
      picture: {
        media: picture._id,
        focus: { x: 0.5, y: 0.25 },
        url,
        width: 1_300,
        height: 26,
        thumbhash: picture.thumbhash,
        sources: [
          {
            type: 'image/webp',
            srcset: expect.stringMatching(/320\.webp 320w.*1280\.webp 1280w.* 1300w/),
          },
          { type: 'image/jpeg', srcset: expect.stringContaining('/320.jpg 320w') },
        ],
      },
    };
    expect(await chosen({ media: picture._id.toUpperCase() })).toMatchObject(shown);
    const admin = await person(fixture, 'ADMIN');
    const reads: readonly (readonly [Pick<Person, 'client'>, string])[] = [
      [ada, '/profile/mine'],
      [fixture.other, `/profile/id/${ada._id}`],
      [fixture, `/authors/id/${ada._id}`],
      [admin, `/admin/users/id/${ada._id}`],
    ];
    for (const [{ client }, path] of reads) {
      expect([path, (await client.get(path)).body.data]).toEqual([
        path,
        expect.objectContaining(shown),
      ]);
    }
    expect((await fetchPicture(fixture, url)).status).toBe(200);
    expect(await statusOf(picture)).toBe(200);
  });

  it('should keep the focus that it leaves out, until the profile shows another picture', async () => {
    const media = picture._id;
    const focusAfter = async (body: object) => (await chosen(body)).picture?.focus;
    expect(await focusAfter({ media, focus: { x: 1, y: 0 } })).toEqual({ x: 1, y: 0 });
    expect(await focusAfter({ media })).toEqual({ x: 1, y: 0 });
    expect(await focusAfter({ media, focus: null })).toBeUndefined();
    expect(await focusAfter({ media })).toBeUndefined();
    await chosen({ media: (await uploaded(ada.client))._id });
    expect(await focusAfter({ media })).toEqual({ x: 0.5, y: 0.25 });
  });

  it('should take the place of profilePicUrl, and profilePicUrl that of the picture', async () => {
    await update({ profilePicUrl: ELSEWHERE });
    await chosen({ media: picture._id });
    expect(await stored()).not.toHaveProperty('profilePicUrl');
    for (const profilePicUrl of [ELSEWHERE, null]) {
      await chosen({ media: picture._id });
      const { profilePicUrl: shown, picture: none } = await update({ profilePicUrl });
      expect([shown, none]).toEqual([profilePicUrl ?? undefined, undefined]);
      expect(await statusOf(picture)).toBe(404);
    }
    await update({ profilePicUrl: ELSEWHERE });
    expect(await chosen({ media: null })).toMatchObject({ profilePicUrl: ELSEWHERE });
  });

  it('should change nothing if a client sends back what it has read', async () => {
    const { profilePicUrl } = await chosen({ media: picture._id, focus: { x: 0, y: 0 } });
    const before = await stored();
    await update({ profilePicUrl });
    await update({ profilePicUrl: picture.url });
    expect(await stored()).toEqual(before);
    await update({ name: '$name' });
    expect(await stored()).toMatchObject({ name: '$name', picture: before?.['picture'] });
  });

  it('should be chosen by an address of the library in profilePicUrl, too', async () => {
    expect((await update({ profilePicUrl: picture.url })).picture).toMatchObject({
      media: picture._id,
    });
  });

  it('should refuse a picture of somebody else as it refuses none', async () => {
    const foreign = await uploaded(fixture.other.client);
    for (const media of [foreign._id, 'a'.repeat(24)]) {
      const { status, body } = await choose({ media });
      expect([status, body.errors]).toEqual([
        422,
        [
          {
            field: 'media',
            message: 'media must be a picture of your library: upload it with POST /media',
          },
        ],
      ]);
    }
    const { status, body } = await ada.client.put('/profile/mine', { profilePicUrl: foreign.url });
    expect([status, body.errors]).toMatchObject([422, [{ field: 'profilePicUrl' }]]);
    expect(await statusOf(foreign)).toBe(404);
    expect(await stored()).not.toHaveProperty('picture');
  });

  it.each([
    ['nothing', {}, 'media'],
    ['no id', { media: 'x' }, 'media'],
    ['an object', { media: { $gt: '' } }, 'media'],
    ['a focus outside', { media: null, focus: { x: 2, y: 0 } }, 'focus'],
  ])('should refuse %s', async (_, body, field) => {
    const answer = await choose(body);
    expect([answer.status, answer.body.errors]).toMatchObject([422, [{ field }]]);
  });

  it.each([
    ['is removed', () => choose({ media: null })],
    ['is replaced', async () => choose({ media: (await uploaded(ada.client))._id })],
    ['goes with its account', removeAccount],
  ])(
    'should close a picture that %s at once, and on other processes within a second',
    async (_, end) => {
      const second = await startApp({ uri: fixture.uri });
      await chosen({ media: picture._id });
      expect([await statusOf(picture), await statusOf(picture, second)]).toEqual([200, 200]);
      await end();
      expect(await statusOf(picture)).toBe(404);
      await until('the other process to close it', async () => {
        return (await statusOf(picture, second)) === 404;
      });
      await second.close();
    },
  );

  it('should open no other picture of the person', async () => {
    const draft = await uploaded(ada.client);
    await ada.client.post('/blog/author', { ...blogBody(), cover: { media: draft._id } });
    await chosen({ media: picture._id });
    expect([await statusOf(picture), await statusOf(draft)]).toEqual([200, 404]);
  });

  it('should be no use that lets others show the picture in articles', async () => {
    await chosen({ media: picture._id });
    const cover = { media: picture._id };
    const { status } = await fixture.other.client.post('/blog/author', { ...blogBody(), cover });
    expect(status).toBe(422);
  });

  it('should keep the picture in the library while the profile shows it, and not longer', async () => {
    await chosen({ media: picture._id });
    const remove = () => ada.client.delete(`/media/id/${picture._id}`);
    const refused = await remove();
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('your profile')]);
    expect((await fixture.other.client.get(`/media/id/${picture._id}`)).status).toBe(200);
    const exists = async () =>
      (await fixture.db
        .collection('media')
        .countDocuments({ _id: new Types.ObjectId(picture._id) })) === 1;
    const clock = holdClock(fixture.app);
    const runJob = () => fixture.app.get(MediaJob).run(new AbortController().signal);
    clock.advance(100 * DAY);
    await runJob();
    expect(await exists()).toBe(true);
    clock.release();
    await removeAccount();
    await runJob();
    expect(await exists()).toBe(false);
  });

  describe('and the event log', () => {
    const tags = async (): Promise<unknown[]> => {
      await relay(fixture);
      const events = await fixture.db
        .collection('events')
        .find({ type: 'author.renamed', 'data._id': ada._id })
        .toArray();
      return events.map(({ data }) => (data as { cacheTags: string[] }).cacheTags);
    };

    it('should announce each picture that the profile no longer shows, for a CDN to purge', async () => {
      const author = `author-${ada._id}`;
      await chosen({ media: picture._id });
      expect(await tags()).toEqual([]);
      const second = await uploaded(ada.client);
      await chosen({ media: second._id });
      await update({ profilePicUrl: ELSEWHERE });
      await update({ name: 'Ada King' });
      const both = [`media-${picture._id}`, `media-${second._id}`].sort();
      expect((await tags()).map((each) => [...(each as string[])].sort())).toEqual([
        [author, ...both],
      ]);
      await chosen({ media: picture._id });
      await removeAccount();
      expect((await tags())[1]).toEqual([author, `media-${picture._id}`]);
      const deleted = await fixture.db.collection('deleted_accounts').find().toArray();
      expect(JSON.stringify(deleted)).not.toContain(picture._id);
    });
  });
});
