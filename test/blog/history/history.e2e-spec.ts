import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Types, type mongo } from 'mongoose';
import { blogMigration } from '../../../src/blog/core/migration/blog.migration.js';
import type { BlogEvent } from '../../../src/blog/history/blog-event.schema.js';
import { removal } from '../../../src/blog/history/event-stages.js';
import { MigrationService } from '../../../src/platform/database/migrations/migration.service.js';
import {
  blogIn,
  PASSWORD,
  person,
  STATES,
  type BlogInState,
  type Person,
} from '../../support/factories.js';
import { openBlogFixture, storedBlog, type BlogFixture } from '../core/fixture.js';
import {
  AUTHOR_TRANSITION_NAMES,
  EDITOR_TRANSITION_NAMES,
  makeTransition,
  personFor,
} from '../core/transition-table.js';
import { eventsInBlog, relay } from './stored-events.js';

interface Item {
  readonly move: string;
  readonly by?: { readonly _id: string; readonly name: string };
  readonly at: string;
  readonly from?: string;
  readonly to: string;
  readonly rev: number;
}

let fixture: BlogFixture;

beforeAll(async () => {
  fixture = await openBlogFixture();
});

describe('the history of a blog', () => {
  let id: string;

  beforeEach(async () => {
    id = (await blogIn('live in review', fixture.author, fixture.editor))._id;
  });

  const read = async (
    { client }: Pick<Person, 'client'>,
    role: 'author' | 'editor',
    query = '',
  ): Promise<readonly Item[]> => {
    const { status, body } = await client.get<Item[]>(`/blog/${role}/history/id/${id}${query}`);
    expect([status, body.message]).toEqual([200, 'success']);
    return body.data;
  };
  const edit = (title: string) => fixture.author.client.put(`/blog/author/id/${id}`, { title });

  it.each(['author', 'editor'] as const)('should show the %s every event', async (role) => {
    const { author, editor, db } = fixture;
    const by = { _id: author._id, name: author.name };
    const byEditor = { _id: editor._id, name: editor.name };
    const times = (await eventsInBlog(db, id)).map(({ at }) => at.toISOString());
    expect(await read(fixture[role], role)).toEqual([
      { move: 'submit', by, at: times[4], from: 'live with draft', to: 'live in review', rev: 5 },
      { move: 'edit', by, at: times[3], from: 'live', to: 'live with draft', rev: 4 },
      { move: 'publish', by: byEditor, at: times[2], from: 'in review', to: 'live', rev: 3 },
      { move: 'submit', by, at: times[1], from: 'draft', to: 'in review', rev: 2 },
      { move: 'create', by, at: times[0], to: 'draft', rev: 1 },
    ]);
  });

  it('should show an editor that a live blog was edited, and nothing of the edit', async () => {
    await fixture.author.client.put(`/blog/author/withdraw/${id}`);
    await edit('A title that nobody has submitted');
    const items = await read(fixture.editor, 'editor');
    expect(items[0]).toMatchObject({ move: 'edit', from: 'live with draft', rev: 7 });
    expect(JSON.stringify(items)).not.toContain('nobody has submitted');
  });

  it('should be paginated, however many events the outbox relay has stored', async () => {
    const { db, author } = fixture;
    const all = await read(author, 'author', '?limit=100');
    const blogs = db.collection<{ _id: Types.ObjectId; events: BlogEvent[] }>('blogs');
    const _id = new Types.ObjectId(id);
    const events = await eventsInBlog(db, id);
    await relay(fixture);
    for (let stored = 0; stored <= events.length; stored++) {
      // After a run of the outbox relay no event is in both collections; between its steps some are.
      for (const overlap of [0, 2]) {
        const inBlog = events.slice(Math.max(0, stored - overlap));
        await blogs.updateOne({ _id }, { $set: { events: inBlog } });
        for (const limit of [2, 5]) {
          const pages = Math.ceil(events.length / limit);
          const found: Item[] = [];
          for (let page = 1; page <= pages + 1; page++) {
            found.push(...(await read(author, 'author', `?limit=${limit}&page=${page}`)));
          }
          expect({ stored, overlap, limit, found }).toEqual({ stored, overlap, limit, found: all });
        }
      }
    }
  });

  it('should show what the caller has just done, even while the outbox relay runs', async () => {
    await fixture.author.client.put(`/blog/author/withdraw/${id}`);
    let isRelaying = true;
    const relaying = (async () => {
      while (isRelaying) await relay(fixture);
    })();
    try {
      for (let rev = 7; rev < 30; rev++) {
        await edit(`Title ${rev}`);
        const items = await read(fixture.author, 'author', '?limit=100');
        expect(items.map((item) => item.rev)).toEqual(
          Array.from({ length: rev }, (_, index) => rev - index),
        );
      }
    } finally {
      isRelaying = false;
      await relaying;
    }
  });

  it('should show the user of a deleted account as a former user', async () => {
    const { editor, db } = fixture;
    const leaver = await person(fixture, 'AUTHOR');
    await person(fixture, 'ADMIN');
    id = (await blogIn('live with draft', leaver, editor))._id;
    await leaver.client.delete('/profile/mine', { body: { password: PASSWORD } });
    const [first, second] = await read(editor, 'editor');
    expect(first).toMatchObject({ move: 'discard', from: 'live with draft', to: 'live' });
    expect([first, second].map((item) => item?.by)).toEqual([
      { _id: leaver._id, name: 'Former user' },
      { _id: leaver._id, name: 'Former user' },
    ]);
    expect(await eventsInBlog(db, id)).toHaveLength(5);
  });

  it('should show a migration that changed the state as an event without a user', async () => {
    const { author, db, app } = fixture;
    id = (await blogIn('live', author, fixture.editor))._id;
    // An older server left a pending edit that shows only in `draftText`.
    const $set = { draftText: '<p>An edit</p>', htmlVersion: 0 };
    await db.collection('blogs').updateOne({ _id: new Types.ObjectId(id) }, { $set });
    const migrations = app.get(MigrationService);
    await migrations.run({ dryRun: true });
    expect(await read(author, 'author')).toHaveLength(3);
    await migrations.run({ dryRun: false });
    await migrations.run({ dryRun: false });
    const items = await read(author, 'author');
    expect(items).toHaveLength(4);
    expect(items[0]).toEqual({
      move: 'migrate',
      at: expect.any(String),
      from: 'live',
      to: 'live with draft',
      rev: 4,
    });
  });

  it('should begin with the next transition if an older server stored the blog', async () => {
    const { author, db } = fixture;
    const _id = new Types.ObjectId(id);
    await db.collection('blogs').updateOne({ _id }, { $unset: { events: 1 } });
    expect(await read(author, 'author')).toEqual([]);
    await author.client.put(`/blog/author/withdraw/${id}`);
    expect(await read(author, 'author')).toMatchObject([{ move: 'withdraw', rev: 6 }]);
  });
});

/** What is left of removed blogs, here one of each state, until the outbox relay has stored their events. */
describe('tombstones', () => {
  const blogs: BlogInState[] = [];
  let tombstones: mongo.Document[];

  beforeAll(async () => {
    const { author, editor, db } = fixture;
    await db.collection('blogs').deleteMany({});
    await db.collection('blog_events').deleteMany({});
    const by = new Types.ObjectId(author._id);
    for (const state of STATES) {
      const blog = await blogIn(state, author, editor);
      blogs.push(blog);
      const _id = new Types.ObjectId(blog._id);
      await db.collection('blogs').updateOne({ _id }, removal('delete', { by, at: new Date() }));
    }
    tombstones = await storedBlogs();
    fixture.invalidateCaches();
  });

  const storedBlogs = () => fixture.db.collection('blogs').find().sort({ _id: 1 }).toArray();

  it('should consist of the id, `removed` and the events, and contain neither titles nor unpublished slugs', () => {
    expect(tombstones).toHaveLength(STATES.length);
    for (const { publicChanges: _, ...tombstone } of tombstones) {
      expect(Object.keys(tombstone)).toEqual(['_id', 'removed', 'events']);
    }
    const text = JSON.stringify(tombstones);
    for (const [index, { body, pending }] of blogs.entries()) {
      for (const { title } of [body, pending]) expect(text).not.toContain(title);
      expect(text).not.toContain(pending.slug);
      // The event log needs a public slug, from which a CDN learns which page is gone.
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
    expect((await client.get('/blogs/latest')).body.data).toEqual([]);
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
      for (const transition of [...AUTHOR_TRANSITION_NAMES, ...EDITOR_TRANSITION_NAMES]) {
        const { client: by } = personFor(transition, fixture);
        answers.push(await makeTransition(by, transition, _id, { title: 'Another title' }));
      }
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    }
    expect(await storedBlogs()).toEqual(tombstones);
  });

  it('should not be migrated as if they were blogs without slugs', async () => {
    const { db, app } = fixture;
    const migrations = app.get(MigrationService);
    for (const dryRun of [true, false]) {
      expect(await migrations.run({ dryRun })).toEqual({ changed: [], unresolved: [] });
    }
    // A tombstone has no title, so its migration would give it the slug `blog`. Here that slug is still free.
    const { _id } = await blogIn('draft', fixture.author, fixture.editor);
    const byId = { _id: new Types.ObjectId(_id) };
    const $set = { slug: 'blog', slugs: [], title: '', htmlVersion: 0 };
    await db.collection('blogs').updateOne(byId, { $set });
    await blogMigration.run(db, { dryRun: false });
    expect(await storedBlog(db, _id)).toMatchObject({ slug: 'blog', slugs: ['blog'] });
    await db.collection('blogs').deleteOne(byId);
    expect(await storedBlogs()).toEqual(tombstones);
  });

  it('should be gone once their events are stored', async () => {
    await relay(fixture);
    expect(await storedBlogs()).toEqual([]);
    const removed = { '_id.blog': { $in: tombstones.map(({ _id }) => _id as Types.ObjectId) } };
    const events = await fixture.db.collection('blog_events').find(removed).toArray();
    expect(events).toHaveLength(tombstones.flatMap((tombstone) => tombstone['events']).length);
  });
});
