import { beforeAll, describe, expect, it } from '@jest/globals';
import { ChangeFolding } from '../../../src/blog/public/counts/change-folding.service.js';
import { openBlogFixture, type BlogFixture } from '../core/fixture.js';
import type { Answer } from '../../support/client.js';
import { blogIn } from '../../support/factories.js';

interface Item {
  readonly tag: string;
  readonly count: number;
  readonly publishedAt: string;
}

let fixture: BlogFixture;

beforeAll(async () => {
  fixture = await openBlogFixture();
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

const QUERIES: readonly (readonly [string, readonly string[]])[] = [
  ['', BY_COUNT],
  ['order=name', BY_NAME],
  ['prefix=NOD', ['Node.js', 'node']],
  ['prefix=nod&order=name', ['node', 'Node.js']],
  ['prefix=n&order=name', ['node', 'Node.js', 'Ｎormal']],
  ['prefix=%F0%9F%98%80', ['😀']],
  ['prefix=gr%C3%B6', ['größe']],
  ['prefix=.*', []],
];

describe('GET /tags', () => {
  const fold = (): Promise<void> => fixture.app.get(ChangeFolding, { strict: false }).fold();

  beforeAll(async () => {
    for (let copy = 0; copy < 3; copy += 1) {
      const tags = Object.keys(TAGS).filter((tag) => TAGS[tag]! > copy);
      await blogIn('live', fixture.author, fixture.editor, { tags });
    }
    await blogIn('in review', fixture.author, fixture.editor, { tags: ['secret'] });
  });

  it.each([
    ['that are not folded', () => Promise.resolve()],
    ['that are folded', fold],
    [
      'some of which are folded',
      async () => {
        const tags = ['😀', 'size', 'gone'];
        const { _id } = await blogIn('live', fixture.author, fixture.editor, { tags });
        await fixture.editor.client.put(`/blog/editor/unpublish/id/${_id}`);
      },
    ],
  ])('should list tags with counts %s, also page by page', async (_counts, make) => {
    await make();
    fixture.invalidateCaches();
    for (const [query, expected] of QUERIES) {
      expect([query, namesOf(await get(`?limit=100&${query}`))]).toEqual([query, expected]);
      expect([query, await walk(`?limit=1&${query}`)]).toEqual([query, expected]);
    }
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
