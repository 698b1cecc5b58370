import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openNewsroom, storeCopies, storedBlog, type Newsroom } from '../blog/newsroom.js';
import { blogIn, type BlogBody, type State } from '../support/factories.js';

describe('GET /blogs/similar/id/{id}', () => {
  let newsroom: Newsroom;

  beforeAll(async () => {
    newsroom = await openNewsroom();
  });

  beforeEach(async () => {
    await newsroom.db.collection('blogs').deleteMany({});
  });

  afterAll(() => newsroom.close());

  /** Its words are in no other blog of a test unless named. */
  const blog = async (overrides: Partial<BlogBody>, state: State = 'live'): Promise<string> =>
    (
      await blogIn(state, newsroom.author, newsroom.editor, {
        title: '###',
        description: '###',
        tags: [],
        ...overrides,
      })
    )._id;
  const similar = async (id: string): Promise<string[]> => {
    const { body } = await newsroom.client.get<readonly { _id: string }[]>(
      `/blogs/similar/id/${id}`,
    );
    return body.data.map(({ _id }) => _id);
  };

  it('should be ordered by shared tags and words, best first', async () => {
    const id = await blog({
      title: 'Sailing northern waters',
      description: 'harbour tides',
      tags: ['Sea', 'Boat'],
    });
    const oneWord = await blog({ title: 'Sailing' });
    const bothTags = await blog({ tags: ['boat', 'SEA'] });
    const oneTag = await blog({ tags: ['sea', 'unrelated'] });
    const tagAndWord = await blog({ tags: ['sea'], description: 'low tides' });
    const twoWords = await blog({ title: 'waters', description: 'a harbour' });
    const everything = await blog({ title: 'Northern sailing', tags: ['sea', 'boat'] });
    await blog({ title: 'Mountains', tags: ['alps'] });
    expect(await similar(id)).toEqual([
      everything,
      bothTags,
      tagAndWord,
      oneTag,
      twoWords,
      oneWord,
    ]);
  });

  it('should put the newer first where as much is shared', async () => {
    const id = await blog({ tags: ['sea'] });
    const older = await blog({ tags: ['sea'] });
    const newer = await blog({ tags: ['sea'] });
    expect(await similar(id)).toEqual([newer, older]);
  });

  it('should hold at most six, and never the blog itself', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 9; n++) ids.push(await blog({ title: 'Sailing', tags: ['sea'] }));
    for (const id of ids) {
      const expected = ids.filter((other) => other !== id).reverse();
      expect(await similar(id)).toEqual(expected.slice(0, 6));
    }
  });

  it.each(['draft', 'in review'] as const)('should list none that is %s', async (state) => {
    const id = await blog({ tags: ['sea'] });
    const listed = await blog({ tags: ['sea'] });
    const hidden = await blog({ tags: ['sea'] }, state);
    expect(await similar(id)).toEqual([listed]);
    expect((await newsroom.client.get(`/blogs/similar/id/${hidden}`)).status).toBe(404);
  });

  it('should be empty when nothing is shared, and when there is nothing to share', async () => {
    const id = await blog({ title: 'Sailing', tags: ['sea'] });
    const bare = await blog({});
    const otherBare = await blog({});
    expect(await similar(id)).toEqual([]);
    expect(await similar(bare)).toEqual([]);
    expect(await similar(otherBare)).toEqual([]);
  });

  it('should take tags and words for what they are, not for expressions', async () => {
    const id = await blog({ title: '$live.title $$ROOT', tags: ['$live.tagKeys', '$$ROOT'] });
    const alike = await blog({ tags: ['$$root'] });
    await blog({ title: 'Sailing', tags: ['sea'] });
    expect(await similar(id)).toEqual([alike]);
  });

  it('should look at a bounded number of candidates, of a rare tag as well as of a common one', async () => {
    const id = await blog({ tags: ['common', 'rare'] });
    const rare = await blog({ tags: ['rare'] });
    const common = await blog({ tags: ['common'] });
    const { live } = await storedBlog(newsroom.db, common);
    const later = (n: number): Date => new Date(live.at.getTime() + 1_000 + n);
    await storeCopies(
      newsroom.db,
      common,
      Array.from({ length: 3_000 }, (_, n) => (slug: string) => ({
        live: { ...live, slug, at: later(n) },
      })),
    );
    const answer = await similar(id);
    // The recorder of the plans has MongoDB keep what examines more than a few.
    const [profile] = await newsroom.db
      .collection('system.profile')
      .find({ op: 'command', 'command.aggregate': 'blogs' })
      .sort({ docsExamined: -1 })
      .toArray();
    expect(answer).toHaveLength(6);
    // 500 at the very most, out of 3,002.
    expect(profile?.['docsExamined']).toBeGreaterThan(6);
    expect(profile?.['docsExamined']).toBeLessThanOrEqual(506);
    await newsroom.db
      .collection('blogs')
      .deleteMany({ 'live.slug': /-of-/, 'live.at': { $lt: later(2_996) } });
    newsroom.afterEdit();
    // Four later ones are left: then the rare one has its place among the six.
    expect(await similar(id)).toContain(rare);
  });
});
