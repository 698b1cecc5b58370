import { beforeAll, describe, expect, it } from '@jest/globals';
import { PurgeJob } from '../../../../src/blog/trash/purge.job.js';
import { MigrationService } from '../../../../src/platform/database/migrations/migration.service.js';
import type { Client } from '../../../support/client.js';
import { signIn } from '../../../support/factories.js';
import { startApp, type TestApp } from '../../../support/start-app.js';
import { foldChanges } from '../../../blog/core/fixture.js';
import {
  createGoserveDatabase,
  GO_ZERO_TIME,
  GOSERVE_API_KEY,
  goserveBlog,
  PASSWORD,
  publishedGoserveBlog,
  type GoserveDatabase,
  type Raw,
} from './goserve-database.js';

const UNCLEAN = '<p>Fine</p><script>alert(1)</script><img src="x" onerror="alert(1)">';
const CLEAN = '<p>Fine</p>';

describe('a goserve database behind Pressroom', () => {
  let goserve: GoserveDatabase;
  let server: TestApp;
  let client: Client;
  let author: Client;
  let editor: Client;
  let live: Raw;
  let inReview: Raw;
  let zeroTimed: Raw;
  let deleted: Raw;

  const ids = (answer: { body: { data: { _id: string }[] } }) =>
    answer.body.data.map(({ _id }) => _id);

  beforeAll(async () => {
    goserve = await createGoserveDatabase();
    const { LEARNER, WRITER, EDITOR, ADMIN } = goserve.roles;
    const writer = goserve.goserveUser('Writer@Example.org', { roles: [LEARNER, WRITER] });
    await goserve.db
      .collection('users')
      .insertMany([
        writer,
        goserve.goserveUser('editor@example.org', { roles: [LEARNER, EDITOR, ADMIN] }),
      ]);
    const own = { author: writer._id, createdBy: writer._id };
    const unclean = { draftText: UNCLEAN, text: UNCLEAN };
    live = publishedGoserveBlog({
      ...own,
      ...unclean,
      slug: 'Old-Live',
      imgUrl: 'data:image/png;base64,AA',
    });
    inReview = goserveBlog({ ...own, submitted: true, draftText: UNCLEAN });
    zeroTimed = goserveBlog({ ...own, submitted: true, publishedAt: GO_ZERO_TIME });
    deleted = publishedGoserveBlog({ ...own, ...unclean, status: false, slug: 'gone' });
    const draft = goserveBlog({ ...own, tags: null });
    const blogs = [live, inReview, zeroTimed, deleted, draft];
    await goserve.db.collection('blogs').insertMany(blogs);
    server = await startApp({ uri: goserve.uri, env: { MIGRATE: 'off' } });
    client = server.client.with({ 'x-api-key': GOSERVE_API_KEY });
    editor = (await signIn(client, 'editor@example.org', PASSWORD)).client;
  });

  describe('before it is migrated', () => {
    it('should not be ready, and list the missing migrations', async () => {
      const { status, body } = await server.client.get('/health/ready');
      expect(status).toBe(503);
      expect(body.message).toMatch(/npm run migrate.*2026-11-blogs.*blogs\.slugs_1/);
      expect((await server.client.get('/health')).status).toBe(200);
    });

    it('should show cleaned HTML only, to readers and to editors', async () => {
      const [liveId, inReviewId] = [live, inReview].map(({ _id }) => _id.toHexString());
      const answers = [
        ...['/blog/slug/old-live', '/blogs/latest', `/blog/id/${liveId}`].map((path) =>
          client.get(path),
        ),
        ...[liveId, inReviewId].map((id) => editor.get(`/blog/editor/id/${id}`)),
      ];
      for (const { text } of await Promise.all(answers)) expect(text).not.toContain('alert');
      const { status, text } = (await answers.at(-1))!;
      expect([status, text.includes('Fine')]).toEqual([200, true]);
    });
  });

  describe('once it is migrated', () => {
    beforeAll(async () => {
      await server.app.get(MigrationService).run({ dryRun: false });
      author = (await signIn(client, 'writer@example.org', PASSWORD)).client;
    });

    it('should be ready, and show the role WRITER as stored and treat it as AUTHOR', async () => {
      expect((await server.client.get('/health/ready')).status).toBe(200);
      const { body } = await author.get('/profile/mine');
      expect(body.data.roles).toMatchObject([{ code: 'LEARNER' }, { code: 'WRITER' }]);
    });

    it('should show readers the cleaned text, by any form of the slug', async () => {
      const id = live._id.toHexString();
      for (const path of [`/blog/id/${id}`, '/blog/slug/Old-Live', '/blog/slug/old-live']) {
        const { status, body } = await client.get(path);
        expect(status).toBe(200);
        expect(body.data).toMatchObject({ _id: id, text: CLEAN, slug: 'old-live' });
        expect(body.data).not.toHaveProperty('imgUrl');
      }
    });

    it('should list exactly the live blogs', async () => {
      const id = live._id.toHexString();
      expect(ids(await client.get('/blogs/latest'))).toEqual([id]);
      expect(ids(await client.get('/blogs/tag/mongo'))).toEqual([id]);
      expect((await client.get(`/blog/id/${deleted._id.toHexString()}`)).status).toBe(404);
    });

    it("should list an author's blogs by state, without deleted ones", async () => {
      const published = await author.get('/blog/author/published');
      const submitted = await author.get('/blog/author/submitted');
      const drafts = await author.get('/blog/author/drafts');
      expect(ids(published)).toEqual([live._id.toHexString()]);
      expect(new Set(ids(submitted))).toEqual(
        new Set([inReview._id.toHexString(), zeroTimed._id.toHexString()]),
      );
      expect(ids(drafts)).toHaveLength(1);
      expect(drafts.body.data[0].tags).toEqual([]);
    });

    it('should list the submitted blogs, with the longest waiting first', async () => {
      const { body } = await editor.get('/blog/editor/submitted?order=oldest');
      const expected = [inReview, zeroTimed].map(({ _id, updatedAt }) => ({
        _id: _id.toHexString(),
        submittedAt: (updatedAt as Date).toISOString(),
      }));
      expect(body.data).toMatchObject(expected);
    });

    it('should neither list nor purge a blog that goserve has deleted', async () => {
      const { db } = goserve;
      const before = await db.collection('blogs').findOne({ _id: deleted._id });
      expect(ids(await author.get('/blog/author/trash'))).toEqual([]);
      expect(await server.app.get(PurgeJob).isDue()).toBe(false);
      await server.app.get(PurgeJob).run(new AbortController().signal);
      expect(await db.collection('blogs').findOne({ _id: deleted._id })).toEqual(before);
    });

    it('should let an editor publish a blog that was submitted on goserve', async () => {
      for (const { _id } of [inReview, zeroTimed]) {
        const id = _id.toHexString();
        expect((await editor.put(`/blog/editor/publish/id/${id}`)).status).toBe(200);
        expect((await client.get(`/blog/id/${id}`)).status).toBe(200);
        expect(ids(await client.get('/blogs/latest'))).toContain(id);
      }
    });

    it('should free the slug of a deleted blog, and allow several hashed API keys', async () => {
      const body = { title: 'New', description: 'New one', draftText: '<p>x</p>', slug: 'gone' };
      expect((await author.post('/blog/author', body)).status).toBe(200);
      for (let n = 0; n < 2; n++)
        expect((await editor.post('/admin/apikeys', {})).status).toBe(200);
    });

    it('should not change records of this version when migrated again', async () => {
      await foldChanges(server);
      const before = await goserve.snapshot();
      const { changed } = await server.app.get(MigrationService).run({ dryRun: false });
      expect(changed).toEqual([]);
      expect(await goserve.snapshot()).toEqual(before);
    });
  });
});

it('should report a unique index that duplicates prevent, and not become ready', async () => {
  const goserve = await createGoserveDatabase();
  const users = goserve.db.collection('users');
  await users.dropIndex('email_1');
  await users.insertMany([goserve.goserveUser('a@b.org'), goserve.goserveUser('a@b.org')]);
  const server = await startApp({ uri: goserve.uri, env: { MIGRATE: 'off' } });
  const { unresolved } = await server.app.get(MigrationService).run({ dryRun: false });
  expect(unresolved).toHaveLength(3);
  expect(unresolved[2]).toMatch(/^index users\.email_1 not created: .*E11000.*a@b\.org/);
  const { status, body } = await server.client.get('/health/ready');
  expect(status).toBe(503);
  expect(body.message).toContain('users.email_1');
});
