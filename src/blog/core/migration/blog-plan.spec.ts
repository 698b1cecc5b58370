import { describe, expect, it } from '@jest/globals';
import { ReadableStream } from 'node:stream/web';
import fc from 'fast-check';
import { Types } from 'mongoose';
import type { StoredRecord } from '../../../platform/database/migrations/update-records.js';
import { BLOG_STATES } from '../blog.state.js';
import { HTML_VERSION } from '../html/clean-html.js';
import { planBlog } from './blog-plan.js';
import { UNKNOWN_AUTHOR } from './migrated-blog.js';
import { readSlugClaims, SlugClaims } from './slug-claims.js';

const ID = new Types.ObjectId('665a00000000000000000001');

/** Values that a field may have in a database without a schema. */
const oddity = fc.constantFrom(undefined, null, '', 0, true, false, [], {}, 'x');

const time = fc.oneof(
  fc.date({ min: new Date('0001-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }),
  oddity,
);

const html = fc.oneof(
  fc.constantFrom('<p>a</p>', '<p>b</p>', '<script>a</script>', '<p onclick="x">a</p>'),
  fc.string(),
  oddity,
);

/** Slugs that earlier versions stored: with a second dot, with an invisible character, and with nothing else. */
const EARLIER_SLUGS = ['i\u0307', 'a\ufe0f', '\ufe0f'] as const;

const text = fc.oneof(
  fc.string(),
  fc.constantFrom('Über Go', 'a', '...', 'a'.repeat(300), ...EARLIER_SLUGS),
  oddity,
);

const flag = fc.constantFrom(true, false, null, undefined);

const live = fc.oneof(
  fc.record({
    at: time,
    slug: fc.constantFrom('a', 'b', ...EARLIER_SLUGS),
    title: fc.string(),
    tags: fc.constantFrom(['a  b'], ['.']),
    tagKeys: fc.constantFrom(['a  b'], []),
  }),
  oddity,
);

const storedBlog: fc.Arbitrary<StoredRecord> = fc
  .record({
    title: text,
    description: text,
    slug: text,
    draftText: html,
    text: html,
    tags: fc.oneof(fc.array(fc.oneof(fc.string(), oddity)), oddity),
    imgUrl: text,
    submitted: flag,
    drafted: flag,
    published: flag,
    status: flag,
    live,
    slugs: fc.oneof(fc.array(fc.constantFrom('a', 'b', ...EARLIER_SLUGS)), oddity),
    formerSlugs: fc.oneof(fc.array(fc.constantFrom('c', ...EARLIER_SLUGS)), oddity),
    author: fc.constantFrom(ID, null, undefined, 'x'),
    score: fc.oneof(fc.double({ noNaN: true }), oddity),
    rev: fc.constantFrom(undefined, 1, 7),
    htmlVersion: fc.constantFrom(undefined, 0, HTML_VERSION),
    publishedAt: time,
    createdAt: time,
    updatedAt: time,
  })
  .map((fields) => {
    const stored = Object.entries(fields).filter(([, value]) => value !== undefined);
    return { _id: ID, ...Object.fromEntries(stored) };
  });

/** The record after the planned update. */
function migrate(blog: StoredRecord, claims = new SlugClaims()): StoredRecord {
  const { set, unset } = planBlog(blog, claims);
  const fields = Object.entries({ ...blog, ...set }).filter(([field]) => !unset.includes(field));
  return { _id: blog._id, ...Object.fromEntries(fields) };
}

describe('planBlog', () => {
  it('should plan no change for a migrated blog', () => {
    fc.assert(
      fc.property(storedBlog, (blog) => {
        const plan = planBlog(migrate(blog), new SlugClaims());
        expect(plan).toMatchObject({ set: {}, unset: [], kinds: [], lines: [] });
      }),
    );
  });

  it('should report a kind of change exactly if there is a change', () => {
    fc.assert(
      fc.property(storedBlog, (blog) => {
        const { set, unset, kinds } = planBlog(blog, new SlugClaims());
        const isChange = Object.keys(set).length + unset.length > 0;
        expect(kinds.length > 0).toBe(isChange);
        expect('rev' in set).toBe(isChange);
      }),
    );
  });

  it('should leave every blog in a known state, with `live` exactly when it is published', () => {
    fc.assert(
      fc.property(storedBlog, (blog) => {
        const { submitted, drafted, published, status, ...migrated } = migrate(blog);
        const former = (migrated['formerSlugs'] ?? []) as string[];
        const states = Object.values(BLOG_STATES) as unknown[];
        if (status === true) expect(states).toContainEqual({ submitted, drafted, published });
        else expect([submitted, drafted, published]).toEqual([false, false, false]);
        expect('live' in migrated).toBe(published);
        expect(migrated['slugs']).toHaveLength(
          status !== true ? 0 : new Set([migrated['slug'], liveSlug(migrated), ...former]).size,
        );
      }),
    );
  });

  it('should keep updatedAt, and all fields that this version does not know', () => {
    fc.assert(
      fc.property(storedBlog, fc.dictionary(fc.string(), fc.anything()), (blog, others) => {
        const known = migrate(blog);
        const migrated = migrate({ ...others, ...blog });
        expect(Object.keys(migrated).sort()).toEqual(Object.keys({ ...others, ...known }).sort());
        const kept = Object.entries(others).filter(([name]) => !Object.hasOwn(known, name));
        expect({ ...migrated, ...Object.fromEntries(kept) }).toEqual(migrated);
        expect(migrated['updatedAt']).toBe(blog['updatedAt']);
      }),
    );
  });

  it('should not publish the pending draft of a live blog', () => {
    const blog = { _id: ID, published: true, drafted: true, draftText: '<p>Secret</p>' };
    expect(migrate(blog)).toMatchObject({ text: '', draftText: '<p>Secret</p>' });
  });

  it('should keep the live version of a blog with a pending draft', () => {
    const first = migrate({ _id: ID, title: 'Old', slug: 'old', published: true, text: 'a' });
    const edited = { ...first, title: 'New', slug: 'new', drafted: true, slugs: ['new', 'old'] };
    const migrated = migrate(edited);
    expect(migrated['live']).toEqual(first['live']);
    expect(migrated['slugs']).toEqual(['new', 'old']);
  });

  it('should adapt a migrated blog that an older server has changed', () => {
    const first = migrate({ _id: ID, title: 'Old', slug: 'old', published: true, text: 'a' });
    const renamed = migrate({ ...first, title: 'New', slug: 'New' });
    expect(renamed['live']).toMatchObject({ title: 'New', slug: 'new' });
    expect(renamed['slugs']).toEqual(['new']);
    const takenDown = migrate({ ...first, published: false, drafted: true });
    expect(takenDown).not.toHaveProperty('live');
  });

  it('should clean a text again that an older HTML policy cleaned', () => {
    const blog = migrate({ _id: ID, draftText: '<p>a</p>' });
    const outdated = { ...blog, htmlVersion: HTML_VERSION - 1, draftText: '<p x="y">a</p>' };
    const plan = planBlog(outdated, new SlugClaims());
    expect(plan.set).toEqual({ draftText: '<p>a</p>', htmlVersion: HTML_VERSION, rev: 2 });
    expect(plan.kinds).toContain('HTML cleaned');
  });

  it('should append a number to a working slug and a live slug that another blog has', async () => {
    const other = new Types.ObjectId('665a00000000000000000000');
    const slugs = ['a', 'b'];
    const owner = { _id: other, slug: 'a', slugs, published: true, live: { slug: 'b' } };
    const stored = migrate({ _id: ID, slug: 'b', published: true, text: 'x', title: 'T' });
    const blog = { ...stored, slug: 'a', drafted: true, slugs: [] };
    const claims = await readSlugClaims(() => ReadableStream.from([owner, blog]));
    const migrated = migrate(blog, claims);
    expect(migrated).toMatchObject({ slug: 'a-2', live: { slug: 'b-2' }, slugs: ['a-2', 'b-2'] });
    expect(planBlog(blog, claims).lines).toHaveLength(2);
  });

  it.each([
    ['i\u0307x', 'ix', ['i\u0307x']],
    ['\ufe0f-file', 'file', ['\ufe0f-file']],
    ['❤\u0301', 'the-title', ['❤\u0301']],
    ['andor', 'andor', undefined],
  ])('should redirect the live slug %j of an earlier version to %j', (old, slug, formerSlugs) => {
    const first = migrate({ _id: ID, title: 'The title', slug: 'a', published: true, text: 'x' });
    const earlier = { ...first, slug: old, live: { ...liveOf(first), slug: old }, slugs: [old] };
    for (const drafted of [false, true]) {
      const migrated = migrate({ ...earlier, drafted });
      expect(migrated).toMatchObject({
        slug,
        live: { slug },
        slugs: [slug, ...(formerSlugs ?? [])],
      });
      expect(migrated['formerSlugs']).toEqual(formerSlugs);
    }
    const draft = migrate({ ...earlier, published: false, drafted: true });
    expect(draft).toMatchObject({ slug, slugs: [slug] });
  });

  it('should keep former slugs as links have them, and the newest first', () => {
    const first = migrate({ _id: ID, title: 'T', slug: 'a', published: true, text: 'x' });
    const formerSlugs = ['a\ufe0f', 'ix', 'b'];
    const live = { ...liveOf(first), slug: 'i\u0307x' };
    const slugs = [live.slug, ...formerSlugs];
    const migrated = migrate({ ...first, slug: live.slug, live, slugs, formerSlugs });
    expect(migrated['formerSlugs']).toEqual(['i\u0307x', 'a\ufe0f', 'b']);
    expect(new Set(migrated['slugs'] as string[])).toEqual(
      new Set(['ix', ...slugs.slice(0, 2), 'b']),
    );
  });

  it('should bring tags and words of draft and live version into the present form', () => {
    const earlier = { tagKeys: ['web  dev', 'web dev'], titleWords: ['soft\u00adly'] };
    const fields = { title: 'Soft\u00adly', tags: ['web  dev', 'web dev'], description: 'd' };
    const first = migrate({ _id: ID, ...fields, slug: 'a', published: true, text: 'x' });
    const live = { ...liveOf(first), ...earlier };
    const migrated = migrate({ ...first, ...earlier, live, drafted: true });
    const present = { tagKeys: ['web dev'], titleWords: ['softly'] };
    expect(migrated).toMatchObject({ ...fields, ...present, live: { ...fields, ...present } });
  });

  it('should leave the slug to the blog that has it, and redirect the other one', async () => {
    const other = new Types.ObjectId('665a00000000000000000000');
    const owner = { _id: other, slug: 'ix', slugs: ['ix'], createdAt: new Date(2) };
    const first = migrate({ _id: ID, title: 'T', slug: 'a', published: true, text: 'x' });
    const live = { ...liveOf(first), slug: 'i\u0307x' };
    const earlier = { ...first, slug: live.slug, live, slugs: [live.slug], createdAt: new Date(1) };
    const claims = await readSlugClaims(() => ReadableStream.from([owner, earlier]));
    const plan = planBlog(earlier, claims);
    expect(migrate(earlier, claims)).toMatchObject({
      slug: 'ix-2',
      live: { slug: 'ix-2' },
      formerSlugs: ['i\u0307x'],
      slugs: ['ix-2', 'i\u0307x'],
    });
    expect(plan.lines.map(({ line }) => line)).toEqual([
      expect.stringContaining('its slug "ix" belongs to blog'),
    ]);
    expect(migrate(owner, claims)).toMatchObject({ slug: 'ix', slugs: ['ix'] });
  });

  it('should give an ending to a made slug that the root of a site needs', () => {
    expect(migrate({ _id: ID, title: 'robots.txt', slug: '!' })).toMatchObject({
      slug: 'robots.txt-2',
    });
    expect(migrate({ _id: ID, title: 'T', slug: 'robots.txt' })).toMatchObject({
      slug: 'robots.txt',
    });
  });

  it('should report what the operator has to resolve', () => {
    const unresolved = (fields: Record<string, unknown>) =>
      planBlog(
        { _id: ID, title: 'T', author: ID, draftText: 'x', ...fields },
        new SlugClaims(),
      ).unresolved.map(({ line }) => line);
    expect(unresolved({})).toEqual([]);
    expect(unresolved({ imgUrl: '' })).toEqual([]);
    expect(unresolved({ imgUrl: null })).toEqual([]);
    expect(unresolved({ imgUrl: 'https://example.org/a.png' })).toEqual([]);
    expect(unresolved({ imgUrl: `data:${'a'.repeat(500)}` })[0]).toMatch(
      /it is "data:a{74}…: its author/,
    );
    expect(unresolved({ submitted: true, draftText: '' })[0]).toContain('under review is empty');
    expect(unresolved({ published: true, text: '' })[0]).toContain('public text is empty');
    expect(unresolved({ title: null })[0]).toContain('no title');
    expect(unresolved({ author: UNKNOWN_AUTHOR })[0]).toContain('no author');
    expect(unresolved({ status: false, title: null, author: null })).toEqual([]);
    for (const line of unresolved({ title: null, author: null })) {
      expect(line.startsWith(`blog ${ID.toHexString()}: `)).toBe(true);
    }
  });
});

function liveOf(blog: StoredRecord): object {
  return blog['live'] as object;
}

function liveSlug(blog: StoredRecord): unknown {
  return (blog['live'] as { slug: string } | undefined)?.slug ?? blog['slug'];
}
