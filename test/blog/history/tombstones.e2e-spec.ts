import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types, type mongo } from 'mongoose';
import { removal } from '../../../src/blog/history/event-stages.js';
import { blogMigration } from '../../../src/blog/core/migration/blog.migration.js';
import { MigrationService } from '../../../src/platform/database/migrations/migration.service.js';
import { blogIn, STATES, type BlogInState } from '../../support/factories.js';
import { openBlogFixture, storedBlog, type BlogFixture } from '../core/fixture.js';
import { BY_AUTHOR, BY_EDITOR, makeTransition, personFor } from '../core/transition-table.js';
import { relay } from './stored-events.js';

/** What is left of blogs that were removed, one of each state, until the outbox relay has stored their events. */
describe('tombstones', () => {
  let fixture: BlogFixture;
  const blogs: BlogInState[] = [];
  let tombstones: mongo.Document[];

  beforeAll(async () => {
    fixture = await openBlogFixture();
    const { author, editor, db } = fixture;
    const by = new Types.ObjectId(author._id);
    for (const state of STATES) {
      const blog = await blogIn(state, author, editor);
      blogs.push(blog);
      const _id = new Types.ObjectId(blog._id);
      await db.collection('blogs').updateOne({ _id }, removal('delete', { by, at: new Date() }));
    }
    tombstones = await all();
    fixture.invalidateCaches();
  });

  const all = () => fixture.db.collection('blogs').find().sort({ _id: 1 }).toArray();

  it('should hold nothing but their id, the mark and the events, and slugs that were public', () => {
    expect(tombstones).toHaveLength(STATES.length);
    for (const tombstone of tombstones) {
      expect(Object.keys(tombstone)).toEqual(['_id', 'removed', 'events']);
    }
    const text = JSON.stringify(tombstones);
    for (const [index, { body, pending }] of blogs.entries()) {
      for (const { title } of [body, pending]) expect(text).not.toContain(title);
      expect(text).not.toContain(pending.slug);
      // The event log needs the slug: a CDN has to hear what is gone.
      expect(text.includes(body.slug)).toBe(STATES[index]?.startsWith('live'));
    }
  });

  it('should be in no list', async () => {
    const { author, editor, client } = fixture;
    for (const path of ['drafts', 'submitted', 'published']) {
      expect((await author.client.get(`/blog/author/${path}`)).body.data).toEqual([]);
    }
    for (const path of ['submitted', 'published']) {
      expect((await editor.client.get(`/blog/editor/${path}`)).body.data).toEqual([]);
    }
    const latest = await client.get('/blogs/latest?total=true');
    expect([latest.body.data, latest.headers.get('x-total-count')]).toEqual([[], '0']);
    for (const { body } of blogs) {
      const tag = encodeURIComponent(body.tags[0] ?? '');
      expect((await client.get(`/blogs/tag/${tag}`)).body.data).toEqual([]);
      expect((await client.get(`/blog/slug/${body.slug}`)).status).toBe(404);
    }
  });

  it('should not be found by their id, and allow no transition', async () => {
    const { author, editor, client } = fixture;
    for (const { _id } of blogs) {
      const answers = [
        await client.get(`/blog/id/${_id}`),
        await client.get(`/blogs/similar/id/${_id}`),
        await author.client.get(`/blog/author/id/${_id}`),
        await author.client.get(`/blog/author/history/id/${_id}`),
        await editor.client.get(`/blog/editor/id/${_id}`),
        await editor.client.get(`/blog/editor/history/id/${_id}`),
      ];
      for (const transition of [...BY_AUTHOR, ...BY_EDITOR]) {
        const { client: by } = personFor(transition, fixture);
        answers.push(await makeTransition(by, transition, _id, { title: 'Another title' }));
      }
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    }
    expect(await all()).toEqual(tombstones);
  });

  it('should be left alone by migrations, which see no blogs without slugs in them', async () => {
    const { db, app } = fixture;
    const migrations = app.get(MigrationService);
    for (const dryRun of [true, false]) {
      expect(await migrations.run({ dryRun })).toEqual({ changed: [], unresolved: [] });
    }
    // The slug that a blog without slug and title would get.
    const { _id } = await blogIn('draft', fixture.author, fixture.editor);
    const own = { _id: new Types.ObjectId(_id) };
    const $set = { slug: 'blog', slugs: [], title: '', htmlVersion: 0 };
    await db.collection('blogs').updateOne(own, { $set });
    await blogMigration.run(db, { dryRun: false });
    expect(await storedBlog(db, _id)).toMatchObject({ slug: 'blog', slugs: ['blog'] });
    await db.collection('blogs').deleteOne(own);
    expect(await all()).toEqual(tombstones);
  });

  it('should be gone once their events are stored', async () => {
    await relay(fixture);
    expect(await all()).toEqual([]);
    const removed = { '_id.blog': { $in: tombstones.map(({ _id }) => _id as Types.ObjectId) } };
    const events = await fixture.db.collection('blog_events').find(removed).toArray();
    expect(events).toHaveLength(tombstones.flatMap((tombstone) => tombstone['events']).length);
  });
});
