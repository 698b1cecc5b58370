import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Types } from 'mongoose';
import { OutboxRelay } from '../../../src/blog/history/outbox-relay.service.js';
import { TagCounts } from '../../../src/blog/public/tags/counts/tag-counts.service.js';
import { tagMigration } from '../../../src/blog/public/tags/counts/tag.migration.js';
import { openBlogFixture, type BlogFixture } from '../core/fixture.js';
import { OwnMongo } from '../../support/mongo/own-mongo.js';
import type { Answer, Client } from '../../support/client.js';
import { blogIn, PASSWORD, person, unique } from '../../support/factories.js';
import { startApp, type TestApp } from '../../support/start-app.js';

interface Item {
  readonly tag: string;
  readonly count: number;
  readonly publishedAt: string;
}

let fixture: BlogFixture;
/** Another process with the same database. */
let second: TestApp;
/** The editor's client of that process. */
let secondEditor: Client;

beforeAll(async () => {
  fixture = await openBlogFixture();
  second = await startApp({ uri: fixture.uri });
  secondEditor = fixture.editor.client.at(second.url);
  await person(fixture, 'ADMIN');
});

afterEach(() => {
  jest.restoreAllMocks();
});

const get = async (query = ''): Promise<Item[]> => {
  const { status, body } = await fixture.client.get<Item[]>(`/tags${query}`);
  expect([query, status]).toEqual([query, 200]);
  return body.data;
};
const namesOf = (items: readonly Item[]): string[] => items.map(({ tag }) => tag);

async function walk(query: string): Promise<string[]> {
  const all: string[] = [];
  let next: string | undefined = query;
  for (let page = 0; next !== undefined; page += 1) {
    if (page > 50) throw new Error('the list has no end');
    const answer: Answer<Item[]> = await fixture.client.get<Item[]>(`/tags${next}`);
    all.push(...namesOf(answer.body.data));
    next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  return all;
}

/** How many blogs have each tag. */
const TAGS: Readonly<Record<string, number>> = {
  'Node.js': 3,
  node: 2,
  größe: 2,
  'a, b': 1,
  Ｎormal: 1,
  漢字: 1,
  '😀': 1,
};

const BY_COUNT = ['Node.js', 'größe', 'node', 'a, b', 'Ｎormal', '漢字', '😀'];
const BY_NAME = ['a, b', 'größe', 'node', 'Node.js', 'Ｎormal', '漢字', '😀'];

describe('GET /tags', () => {
  beforeAll(async () => {
    for (let copy = 0; copy < 3; copy += 1) {
      const tags = Object.keys(TAGS).filter((tag) => TAGS[tag]! > copy);
      await blogIn('live', fixture.author, fixture.editor, { tags });
    }
    await blogIn('in review', fixture.author, fixture.editor, { tags: ['secret'] });
  });

  it.each([
    ['', BY_COUNT],
    ['order=name', BY_NAME],
    ['prefix=NOD', ['Node.js', 'node']],
    ['prefix=nod&order=name', ['node', 'Node.js']],
    ['prefix=n&order=name', ['node', 'Node.js', 'Ｎormal']],
    ['prefix=%F0%9F%98%80', ['😀']],
    ['prefix=gr%C3%B6', ['größe']],
    ['prefix=.*', []],
  ])('should list %j, also page by page', async (query, expected) => {
    expect(namesOf(await get(`?limit=100&${query}`))).toEqual(expected);
    expect(await walk(`?limit=1&${query}`)).toEqual(expected);
  });

  it('should return how many live blogs have a tag, and when the newest was published', async () => {
    const [first] = await get('?limit=1');
    const { body } = await fixture.client.get('/blogs/tag/node.js');
    expect(first).toEqual({
      tag: 'Node.js',
      count: 3,
      publishedAt: body.data[0].publishedAt,
    });
  });

  it.each(['order=newest', 'prefix=', 'limit=101', 'cursor=abc'])(
    'should refuse %s',
    async (query) => {
      expect((await fixture.client.get(`/tags?${query}`)).status).toBe(400);
    },
  );
});

const publish = (id: string) => fixture.editor.client.put(`/blog/editor/publish/id/${id}`);
const unpublish = (id: string) => fixture.editor.client.put(`/blog/editor/unpublish/id/${id}`);

/** The spelling and the count of a tag as readers get them; null if the tag is not listed. */
async function readTag(tag: string, client = fixture.client): Promise<[string, number] | null> {
  const { body } = await client.get(`/tags?limit=100&prefix=${encodeURIComponent(tag)}`);
  const item = body.data.find((each: { tag: string }) => each.tag.toLowerCase() === tag);
  return item ? [item.tag, item.count] : null;
}

/** Makes a transition in the second process just before the next count is stored. */
function beforeNextStore(path: string): void {
  const counts = TagCounts.prototype as unknown as { store: (...args: unknown[]) => unknown };
  const { store } = counts;
  jest.spyOn(counts, 'store').mockImplementationOnce(async function (this: unknown, ...args) {
    expect((await secondEditor.put(path)).status).toBe(200);
    return store.apply(this, args);
  });
}

describe('the count of a tag', () => {
  it('should follow every transition immediately, and be gone with the last blog', async () => {
    const { author, editor } = fixture;
    const tag = unique('tag');
    const otherTag = unique('other');
    const { _id } = await blogIn('in review', author, editor, { tags: [tag.toUpperCase()] });
    expect(await readTag(tag)).toBeNull();
    await publish(_id);
    expect(await readTag(tag)).toEqual([tag.toUpperCase(), 1]);
    await blogIn('live', author, editor, { tags: [tag] });
    expect(await readTag(tag)).toEqual([tag, 2]);
    await author.client.put(`/blog/author/id/${_id}`, { tags: [otherTag] });
    expect([await readTag(tag), await readTag(otherTag)]).toEqual([[tag, 2], null]);
    await author.client.put(`/blog/author/submit/${_id}`);
    await publish(_id);
    expect([await readTag(tag), await readTag(otherTag)]).toEqual([
      [tag, 1],
      [otherTag, 1],
    ]);
    await unpublish(_id);
    expect([await readTag(tag), await readTag(otherTag)]).toEqual([[tag, 1], null]);
  });

  it('should follow the deletion of a blog, and stay when the account of its author is deleted', async () => {
    const { editor } = fixture;
    const tag = unique('tag');
    const author = await person(fixture, 'AUTHOR');
    const { _id } = await blogIn('live', author, editor, { tags: [tag] });
    await blogIn('live', author, editor, { tags: [tag] });
    await author.client.delete(`/blog/author/id/${_id}`);
    expect(await readTag(tag)).toEqual([tag, 1]);
    const deletion = await author.client.delete('/profile/mine', { body: { password: PASSWORD } });
    expect(deletion.status).toBe(200);
    expect(await readTag(tag)).toEqual([tag, 1]);
  });

  it('should be right if a transition in another process comes before it is stored', async () => {
    const { author, editor } = fixture;
    const tag = unique('tag');
    const first = await blogIn('live', author, editor, { tags: [tag] });
    const submitted = await blogIn('in review', author, editor, { tags: [tag] });
    // `first` is unpublished after both blogs were counted, and before that count is stored.
    beforeNextStore(`/blog/editor/unpublish/id/${first._id}`);
    expect((await publish(submitted._id)).status).toBe(200);
    expect(await readTag(tag)).toEqual([tag, 1]);
  });

  it('should be right if a transition in another process changes it back before it is stored', async () => {
    const { author, editor } = fixture;
    const tag = unique('tag');
    const first = await blogIn('live', author, editor, { tags: [tag] });
    const later = await blogIn('live', author, editor, { tags: [tag] });
    await blogIn('live', author, editor, { tags: [tag] });
    await unpublish(later._id);
    await author.client.put(`/blog/author/submit/${later._id}`);
    // `later` is published when the count is one and not stored yet, so that two blogs are live again.
    beforeNextStore(`/blog/editor/publish/id/${later._id}`);
    expect((await unpublish(first._id)).status).toBe(200);
    expect(await readTag(tag)).toEqual([tag, 2]);
  });

  it.each(['a replica set', 'a standalone'])(
    'should be right after transitions in two processes at the same time, on %s',
    async (kind) => {
      const mongod = kind === 'a standalone' ? await OwnMongo.createStandalone() : null;
      const first = mongod ? await openBlogFixture({ uri: mongod.uri('tags') }) : fixture;
      const { author, editor, client, uri } = first;
      const otherEditor = mongod ? editor.client.at((await startApp({ uri })).url) : secondEditor;
      const tag = unique('tag');
      const ids: string[] = [];
      for (let count = 0; count < 6; count += 1) {
        const state = count < 3 ? 'live' : 'in review';
        ids.push((await blogIn(state, author, editor, { tags: [tag] }))._id);
      }
      // The third blog is live already, so publishing it is refused.
      const answers = await Promise.all(
        ids.map((id, index) => {
          const sender = index % 2 === 0 ? otherEditor : editor.client;
          return sender.put(`/blog/editor/${index < 2 ? 'unpublish' : 'publish'}/id/${id}`);
        }),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 400, 200, 200, 200]);
      expect(await readTag(tag, client)).toEqual([tag, 4]);
    },
  );

  it('should be fixed by the outbox relay if the process ended after the transition', async () => {
    const { author, editor, app } = fixture;
    const tag = unique('tag');
    const { _id } = await blogIn('live', author, editor, { tags: [tag] });
    expect(await readTag(tag)).toEqual([tag, 1]);
    const counts = app.get(TagCounts, { strict: false });
    jest.spyOn(counts, 'refresh').mockRejectedValueOnce(new Error('simulated crash'));
    expect((await unpublish(_id)).status).toBe(500);
    const relay = app.get(OutboxRelay, { strict: false });
    await relay.run(new AbortController().signal);
    expect(await readTag(tag)).toBeNull();
  });

  it('should be filled in by the migration of an existing database', async () => {
    const { author, editor, db } = fixture;
    const tag = unique('tag');
    await blogIn('live', author, editor, { tags: [tag] });
    const before = await db.collection('tags').find().sort({ _id: 1 }).toArray();
    await db.collection<{ _id: string }>('tags').deleteMany({});
    await db.collection('tags').insertOne({
      _id: 'gone' as unknown as Types.ObjectId,
      key: 'gone',
      tag: 'gone',
      count: 3,
      publishedAt: new Date(),
      asOf: 0n,
    });
    await tagMigration.run(db, { dryRun: true });
    expect(await db.collection('tags').countDocuments()).toBe(1);
    await tagMigration.run(db, { dryRun: false });
    const usedTags = (tags: typeof before) =>
      tags.filter(({ count }) => count > 0).map(({ asOf: _, ...rest }) => rest);
    const after = await db.collection('tags').find().sort({ _id: 1 }).toArray();
    expect(usedTags(after)).toEqual(usedTags(before));
    await tagMigration.run(db, { dryRun: false });
    expect(await db.collection('tags').find().sort({ _id: 1 }).toArray()).toEqual(after);
  });
});
