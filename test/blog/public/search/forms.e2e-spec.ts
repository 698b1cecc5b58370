import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { foldChanges, openBlogFixture, type BlogFixture } from '../../core/fixture.js';
import type { BlogBody } from '../../../support/blog-fields.js';
import { blogIn } from '../../../support/factories.js';
import type { SearchItemView } from '../../../../src/blog/public/search/results/search.view.js';

interface Page {
  readonly items: readonly (SearchItemView & { readonly _id: string })[];
  readonly partial: boolean;
}

// search-words.spec.ts proves which forms a word has.
describe('GET /blogs/search for a word with several forms', () => {
  let fixture: BlogFixture;

  beforeAll(async () => {
    fixture = await openBlogFixture();
  });

  beforeEach(async () => {
    await fixture.db.collection('blogs').deleteMany({});
  });

  const search = async (q: string): Promise<Page> => {
    const path = `/blogs/search?${new URLSearchParams({ q }).toString()}`;
    return (await fixture.client.get<Page>(path)).body.data;
  };
  const idsOf = async (q: string): Promise<[ids: string[], isPartial: boolean]> => {
    const { items, partial } = await search(q);
    return [items.map(({ _id }) => _id), partial];
  };
  const blog = async (overrides: Partial<BlogBody>): Promise<string> => {
    const nothing = { title: '###', description: '###', draftText: '<p>###</p>', tags: [] };
    const body = { ...nothing, ...overrides };
    body.title = `### ${body.title} ###`;
    const { _id } = await blogIn('live', fixture.author, fixture.editor, body);
    await foldChanges(fixture);
    return _id;
  };

  it.each([
    ['서울에서', '서울'],
    ['서울에서', '서울의'],
    ['사람들에게는', '사람들'],
    ['책을', '책'],
    ['C++', 'C'],
    ['C#', 'C'],
    ['F#', 'F'],
    ['A+', 'A'],
    ['.NET', 'NET'],
    ['Node.js', 'nodejs'],
    ['e-mail', 'email'],
    ['e-mails', 'email'],
    ['don’t', 'dont'],
    ["O'Reilly", 'OReilly'],
    ['1,000', '1000'],
    ['1.000', '1000'],
    ['1 000 000', '1000000'],
    ['wi-fi', 'wifi'],
    ['R&D', 'RD'],
    ['A*', 'A'],
    ['👍🏽', '👍'],
  ])('should find %j and %j by each other, and the asked one first', async (one, other) => {
    const blogs = [];
    // The newer article comes first if nothing else decides.
    for (const title of [one, other, one]) blogs.push(await blog({ title }));
    const [oldest, middle, newest] = blogs;
    expect(await idsOf(one)).toEqual([[newest, oldest, middle], false]);
    expect(await idsOf(other)).toEqual([[middle, newest, oldest], false]);
  });

  it.each([
    ['Node.js', 'node js'],
    ['don’t', 'Don'],
    ['R&D', 'D R'],
    ['1,000', '1 2,000'],
    ['Node.js wi-fi', 'Node.js wi fi'],
  ])('should put %j before %j, which has the words apart', async (linked, apart) => {
    const ids = [];
    for (const title of [`nodejs ${linked}`, linked, apart]) ids.push(await blog({ title }));
    expect(await idsOf(linked)).toEqual([[ids[1], ids[0], ids[2]], false]);
  });

  it.each([
    ['a tag', { tags: ['Node.js', 'C++'] }, { tags: ['nodejs', 'C'] }],
    ['the description', { description: 'Node.js C++' }, { description: 'nodejs C' }],
    ['the text', { draftText: '<p>Node.js C++</p>' }, { draftText: '<p>nodejs C</p>' }],
    [
      'the text, and the other in the title',
      { draftText: '<p>Node.js C++' },
      { title: 'nodejs C' },
    ],
    ['the title, and the other in the text', { title: 'Node.js C++' }, { draftText: 'nodejs C' }],
  ])('should put the asked form first in %s', async (_where, one, other) => {
    const ids = [await blog(one), await blog(other)];
    for (const q of ['Node.js', 'C++', 'Node.js C++']) {
      expect([q, await idsOf(q)]).toEqual([q, [ids, false]]);
    }
    for (const q of ['nodejs', 'C', 'nodejs C']) {
      expect([q, await idsOf(q)]).toEqual([q, [ids.toReversed(), false]]);
    }
  });

  it('should find an article with both forms by its better one', async () => {
    const both = await blog({ title: 'C', draftText: '<p>C++ dont</p>', description: 'Don’t' });
    const one = await blog({ title: 'C dont' });
    for (const q of ['C++', 'don’t', 'C++ don’t'])
      expect([q, await idsOf(q)]).toEqual([q, [[both, one], false]]);
  });

  it('should find all by the bare letter', async () => {
    const ids = [];
    for (const title of ['C++', 'C#', 'C', 'C++20', 'C/C++']) ids.push(await blog({ title }));
    const [[first, ...others]] = await idsOf('c');
    expect([ids[4], ids[2]]).toContain(first);
    expect([first, ...others].toSorted()).toEqual(ids.toSorted());
    await blog({ title: 'D' });
    expect((await idsOf('C++'))[0].slice(0, 3)).toEqual([ids[4], ids[3], ids[0]]);
  });

  it.each([
    ['nodej', 'Node.js'],
    ['Node.j', 'nodejs'],
    ['emai', 'e-mail'],
    ['e-ma', 'email'],
    ['e-ma', 'e-mail'],
    ['wif', 'Wi-Fi'],
    ['.ne', '.NET'],
    ['C+', 'C++'],
    ['1,00', '1000'],
    ['1,00', '1,000'],
    ['1000', '1,000'],
    ['대한민', '대한민국에서'],
    ['서울에', '서울에서'],
    ['dont', 'don’t'],
    ["don'", 'dont'],
  ])('should find, typed as %j, %j', async (typed, title) => {
    const id = await blog({ title });
    await blog({ title: 'Mountains' });
    expect(await idsOf(typed)).toEqual([[id], false]);
    expect(await idsOf(`mountains ${typed}`)).toEqual([expect.arrayContaining([id]), true]);
  });

  it('should highlight the words as the article spells them', async () => {
    await blog({
      title: 'Node.js 서울에서',
      draftText: '<p>We don’t use Node.js, 1,000 times</p>',
    });
    const { items } = await search('nodejs 서울 dont 1000');
    const marked = (part: 'title' | 'text') => {
      const { text, ranges } = items[0]?.highlights[part] ?? { text: '', ranges: [] };
      return ranges.map(({ start, end }) => text.slice(start, end));
    };
    expect(marked('title')).toEqual(['Node.js', '서울에서']);
    expect(marked('text')).toEqual(['don’t', 'Node.js', '1,000']);
  });
});
