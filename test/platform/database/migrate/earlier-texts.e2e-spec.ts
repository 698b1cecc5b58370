import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { blogMigration } from '../../../../src/blog/core/migration/blog.migration.js';
import { OutboxRelay } from '../../../../src/blog/history/outbox-relay.service.js';
import { countsMigration } from '../../../../src/blog/public/counts/comparison/counts.migration.js';
import { openBlogFixture, storedBlog, type BlogFixture } from '../../../blog/core/fixture.js';
import { blogIn, person, unique } from '../../../support/factories.js';

/** The tag and its key as versions stored them that kept repeated blanks. */
const TAG = 'Web  Dev';
const EARLIER_KEY = 'web  dev';

interface Event {
  readonly data: { readonly _id: string; readonly cacheTags?: readonly string[] };
}

let fixture: BlogFixture;
/** The slug of the article, with the second dot that earlier versions left on the letter of `İ`. */
let earlierSlug: string;
let presentSlug: string;
let id: string;
/** An article that has the present normal form of the other's slug. */
let owner: string;

const read = (slug: string) => fixture.client.get(`/blog/slug/${encodeURIComponent(slug)}`);
const idsIn = async (path: string): Promise<string[]> => {
  const { body } = await fixture.client.get<{ _id: string }[]>(path);
  return body.data.map(({ _id }) => _id);
};
const edit = (body: object) => fixture.author.client.put(`/blog/author/id/${id}`, body);
const publish = async () => {
  await fixture.author.client.put(`/blog/author/submit/${id}`);
  return fixture.editor.client.put(`/blog/editor/publish/id/${id}`);
};
/** Gives a blog the slug and the tags that an earlier version would have stored. */
const storeAsEarlier = async (blog: string, slug: string) => {
  const words = { tags: [TAG], tagKeys: [EARLIER_KEY], titleWords: ['ear\u00adlier'] };
  const live = Object.entries({ slug, ...words }).map(([name, value]) => [`live.${name}`, value]);
  const $set = { slug, slugs: [slug], ...words, ...Object.fromEntries(live) };
  await fixture.db.collection('blogs').updateOne({ _id: new Types.ObjectId(blog) }, { $set });
  fixture.invalidateCaches();
};

beforeAll(async () => {
  fixture = await openBlogFixture();
  presentSlug = unique('istanbul');
  earlierSlug = presentSlug.replace('i', 'i\u0307');
  const { author, editor } = fixture;
  owner = (await blogIn('live', author, editor, { slug: presentSlug, tags: ['web dev'] }))._id;
  id = (await blogIn('live', author, editor, { tags: ['other'] }))._id;
  await storeAsEarlier(id, earlierSlug);
});

describe('an article that an earlier version has stored, before it is migrated', () => {
  it('should be read under its slug, in any case', async () => {
    for (const slug of [earlierSlug, earlierSlug.replace('i\u0307', 'İ'), ` ${earlierSlug}`]) {
      expect((await read(slug)).body).toMatchObject({ status: 200, data: { _id: id } });
    }
    expect((await read(presentSlug)).body.data).toMatchObject({ _id: owner });
  });

  it.each(['/blogs/tag/', '/blogs/latest?tag=', '/blogs/search?q=Title&tag='])(
    'should be found by its tag, as it was: %s',
    async (path) => {
      const { body } = await fixture.client.get(`${path}${encodeURIComponent('WEB  dev ')}`);
      const items = (body.data.items ?? body.data) as { _id: string }[];
      const expected = path.includes('search') ? [owner] : [id, owner];
      expect(items.map(({ _id }) => _id)).toEqual(expect.arrayContaining(expected));
      expect(await idsIn(`/blogs/tag/${encodeURIComponent('web dev')}`)).toEqual([owner]);
    },
  );

  it('should be edited, submitted and published under its slug and with its tags', async () => {
    const { body } = await edit({ title: 'Edited', slug: earlierSlug, tags: [TAG] });
    expect(body).toMatchObject({ status: 200, data: { slug: earlierSlug, tags: [TAG] } });
    await storeAsEarlier(id, earlierSlug);
    expect((await publish()).body).toMatchObject({ status: 200, data: { slug: earlierSlug } });
    expect((await read(earlierSlug)).body.data).toMatchObject({ title: 'Edited' });
  });

  it('should tell CDNs the cache tags of both versions', async () => {
    const admin = await person(fixture, 'ADMIN');
    await fixture.app.get(OutboxRelay, { strict: false }).run(new AbortController().signal);
    const { body } = await admin.client.get<Event[]>('/admin/events?limit=100');
    const event = body.data.findLast(({ data }) => data._id === id);
    const cacheTags = ['tag-web%20dev', 'tag-web%20%20dev'];
    expect(event?.data.cacheTags).toEqual(expect.arrayContaining(cacheTags));
  });
});

describe('migrating it', () => {
  let updatedAt: unknown;

  beforeAll(async () => {
    ({ updatedAt } = await storedBlog(fixture.db, id));
    const dry = await blogMigration.run(fixture.db, { dryRun: true });
    expect(await storedBlog(fixture.db, id)).toMatchObject({ slug: earlierSlug });
    expect(await blogMigration.run(fixture.db, { dryRun: false })).toEqual(dry);
    expect(dry.changed).toContain('1 blog: earlier spelling of the slug leads to the present one');
    await countsMigration.run(fixture.db, { dryRun: false });
    fixture.invalidateCaches();
  });

  it('should give it a slug of the present form that no other article has', async () => {
    const slug = `${presentSlug}-2`;
    const stored = await storedBlog(fixture.db, id);
    expect(stored).toMatchObject({ slug, live: { slug }, formerSlugs: [earlierSlug], updatedAt });
    expect((await read(slug)).body.data).toMatchObject({ _id: id });
    expect((await read(presentSlug)).body.data).toMatchObject({ _id: owner });
  });

  it('should redirect its earlier slug, and never to another article', async () => {
    for (const slug of [earlierSlug, earlierSlug.replace('i\u0307', 'İ')]) {
      const { status, headers } = await read(slug);
      expect([status, headers.get('location')]).toEqual([301, `${presentSlug}-2`]);
    }
  });

  it('should find it by its tag in any spelling, and count the tag once', async () => {
    for (const tag of ['web dev', 'WEB  DEV', 'web\u200b\tdev']) {
      expect(await idsIn(`/blogs/tag/${encodeURIComponent(tag)}`)).toEqual(
        expect.arrayContaining([id, owner]),
      );
    }
    const { body } = await fixture.client.get('/tags?prefix=web&limit=100');
    expect(body.data).toEqual([expect.objectContaining({ count: 2 })]);
  });

  it('should change nothing a second time', async () => {
    const nothing = { changed: [], unresolved: [] };
    expect(await blogMigration.run(fixture.db, { dryRun: false })).toEqual(nothing);
  });
});

describe('what an earlier version has stored, restored', () => {
  it('should get the present form from a revision', async () => {
    const { author, editor } = fixture;
    const { _id } = await blogIn('draft', author, editor);
    const slug = unique('i\u0307-old');
    await storeAsEarlier(_id, slug);
    await fixture.db
      .collection('blogs')
      .updateOne(
        { _id: new Types.ObjectId(_id) },
        { $set: { title: 'Bell\u0007' }, $unset: { live: 1 } },
      );
    await author.client.put(`/blog/author/submit/${_id}`);
    await author.client.put(`/blog/author/withdraw/${_id}`);
    await author.client.put(`/blog/author/id/${_id}`, {
      slug: unique('new'),
      title: 'New',
      tags: [],
    });
    const { revisions } = await storedBlog(fixture.db, _id);
    const { rev } = (revisions as { rev: number }[])[0]!;
    const restored = await author.client.put(`/blog/author/restore/id/${_id}/${rev}`);
    const expected = { title: 'Bell\u0007', slug: slug.replace('i\u0307', 'i'), tags: [TAG] };
    expect(restored.body).toMatchObject({ status: 200, data: expected });
    expect(await storedBlog(fixture.db, _id)).toMatchObject({ tagKeys: ['web dev'] });
  });

  it('should keep the slug that it has, if another article has that of the revision', async () => {
    const { revisions } = await storedBlog(fixture.db, id);
    const { rev } = (revisions as { rev: number }[]).at(-1)!;
    const restored = await fixture.author.client.put(`/blog/author/restore/id/${id}/${rev}`);
    expect(restored.body).toMatchObject({ status: 200, data: { slug: `${presentSlug}-2` } });
  });

  it('should get the present slug from the trash', async () => {
    const { author, editor } = fixture;
    const { _id } = await blogIn('draft', author, editor);
    const slug = unique('i\u0307-trash');
    await storeAsEarlier(_id, slug);
    await author.client.delete(`/blog/author/id/${_id}`);
    const { body } = await author.client.put(`/blog/author/undelete/id/${_id}`);
    expect(body).toMatchObject({ status: 200, data: { slug: slug.replace('i\u0307', 'i') } });
  });
});
