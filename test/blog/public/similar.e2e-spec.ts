import { beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { getModelToken } from '@nestjs/mongoose';
import { Types, type Model, type PipelineStage } from 'mongoose';
import { Blog } from '../../../src/blog/core/blog.schema.js';
import { openBlogFixture, storeCopies, storedBlog, type BlogFixture } from '../core/fixture.js';
import type { BlogBody } from '../../support/blog-fields.js';
import { blogIn, type State } from '../../support/factories.js';

describe('GET /blogs/similar/id/{id}', () => {
  let fixture: BlogFixture;

  beforeAll(async () => {
    fixture = await openBlogFixture();
  });

  beforeEach(async () => {
    await fixture.db.collection('blogs').deleteMany({});
  });

  /** Creates a blog that has no tags and no title or description words but those of `overrides`. */
  const blog = async (overrides: Partial<BlogBody>, state: State = 'live'): Promise<string> =>
    (
      await blogIn(state, fixture.author, fixture.editor, {
        title: '###',
        description: '###',
        tags: [],
        ...overrides,
      })
    )._id;
  const similar = async (id: string): Promise<string[]> => {
    const { body } = await fixture.client.get<readonly { _id: string }[]>(
      `/blogs/similar/id/${id}`,
    );
    return body.data.map(({ _id }) => _id);
  };

  it('should not show a blog that is taken down while it is chosen', async () => {
    const id = await blog({ tags: ['sea'] });
    const taken = await blog({ tags: ['sea'] });
    const remaining = await blog({ tags: ['sea'] });
    const blogs = fixture.app.get<Model<Blog>>(getModelToken(Blog.name));
    const aggregate = blogs.aggregate.bind(blogs);
    jest.spyOn(blogs, 'aggregate').mockImplementationOnce(((...args: [PipelineStage[]]) =>
      (async () => {
        const lists = await aggregate(...args);
        // Another process may take the blog down now.
        await fixture.db
          .collection('blogs')
          .updateOne({ _id: new Types.ObjectId(taken) }, { $unset: { live: 1 } });
        return lists;
      })()) as unknown as typeof blogs.aggregate);
    expect(await similar(id)).toEqual([remaining]);
  });

  it('should return at most six blogs, and never the blog itself', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 8; n++) ids.push(await blog({ title: 'Sailing', tags: ['sea'] }));
    for (const id of ids.slice(0, 2)) {
      const expected = ids.filter((other) => other !== id).reverse();
      expect(await similar(id)).toEqual(expected.slice(0, 6));
    }
  });

  it('should take tags and words literally, not as expressions', async () => {
    const id = await blog({ title: '$live.title $$ROOT', tags: ['$live.tagKeys', '$$ROOT'] });
    const alike = await blog({ tags: ['$$root'] });
    await blog({ title: 'Sailing', tags: ['sea'] });
    expect(await similar(id)).toEqual([alike]);
  });

  it('should return the best six by all shared tags and words as long as there are few blogs', async () => {
    const template = await blog({});
    const { live } = await storedBlog(fixture.db, template);
    const ids = await storeCopies(
      fixture.db,
      template,
      Array.from({ length: 60 }, (_, n) => (slug: string) => ({
        live: { ...live, slug, ...drawnTerms(n), at: new Date(live.at.getTime() + (n % 7)) },
      })),
    );
    fixture.invalidateCaches();
    const blogs = await fixture.db.collection<Stored>('blogs').find().toArray();
    for (const id of ids.slice(0, 20)) expect(await similar(id)).toEqual(bestSix(id, blogs));
  });

  it('should find a blog with a rare tag among 3,000, examining at most 490 index keys and 64 blogs', async () => {
    const id = await blog({ tags: ['common', 'rare'], description: 'harbour' });
    const rare = await blog({ tags: ['rare'], description: 'harbour' });
    const common = await blog({ tags: ['common'] });
    const { live } = await storedBlog(fixture.db, common);
    const copies = Array.from({ length: 3_000 }, (_, n) => (slug: string) => ({
      live: { ...live, slug, at: new Date(live.at.getTime() + 1_000 + n) },
    }));
    await storeCopies(fixture.db, common, copies);
    fixture.invalidateCaches();
    const answer = await similar(id);
    expect(answer).toHaveLength(6);
    // `rare` comes first, because it also shares a word of the description.
    expect(answer[0]).toBe(rare);
    // The query-plan check makes MongoDB profile commands that examine more than a few keys or blogs.
    const profiled = await fixture.db
      .collection('system.profile')
      .find({ op: 'command', 'command.aggregate': 'blogs' })
      .toArray();
    const maxOf = (field: string, stage: string): number => {
      const found = profiled.filter(({ command }) =>
        (command.pipeline as object[]).some((each) => stage in each),
      );
      return Math.max(...found.map((entry) => Number(entry[field])));
    };
    expect(maxOf('docsExamined', '$group')).toBe(0);
    expect(maxOf('keysExamined', '$group')).toBeGreaterThan(64);
    // MongoDB 6.0 counts the keys of $unionWith twice.
    expect(maxOf('keysExamined', '$group')).toBeLessThanOrEqual(2 * 490);
    expect(maxOf('docsExamined', '$set')).toBe(64);
  });
});

type Terms = Record<'tagKeys' | 'titleWords' | 'descriptionWords', string[]>;
interface Stored {
  readonly _id: Types.ObjectId;
  readonly live: Terms & { readonly at: Date };
}

/** Different terms for each of the first 60 numbers; half of all pairs share a tag or a title word. */
function drawnTerms(number: number): Terms {
  const draw = (prefix: string, count: number, modulus: number): string[] =>
    Array.from({ length: count }, (_, n) => `${prefix}${n}`).filter(
      (_, n) => (number * (n + 2) + n * n) % modulus < 2,
    );
  return {
    tagKeys: draw('tag', 4, 5),
    titleWords: draw('word', 6, 7),
    // Words that are in the title as well count once.
    descriptionWords: [...draw('word', 9, 11), ...draw('other', 9, 11)],
  };
}

/** The ids of the six blogs that a plain comparison with every stored blog finds. */
function bestSix(id: string, blogs: readonly Stored[]): string[] {
  const wordsOf = ({ live }: Stored): Set<string> =>
    new Set([...live.titleWords, ...live.descriptionWords]);
  const self = blogs.find(({ _id }) => _id.toHexString() === id)!;
  const tags = new Set(self.live.tagKeys);
  const found = blogs.filter(
    (other) =>
      other !== self &&
      (other.live.tagKeys.some((tag) => tags.has(tag)) ||
        other.live.titleWords.some((word) => self.live.titleWords.includes(word))),
  );
  return found
    .map((other) => ({
      hex: other._id.toHexString(),
      at: other.live.at.getTime(),
      score:
        3 * other.live.tagKeys.filter((tag) => tags.has(tag)).length +
        [...wordsOf(self)].filter((word) => wordsOf(other).has(word)).length,
    }))
    .sort((a, b) => b.score - a.score || b.at - a.at || (a.hex < b.hex ? 1 : -1))
    .slice(0, 6)
    .map(({ hex }) => hex);
}
