import { beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { mongo } from 'mongoose';
import { BackgroundService } from '../../../../src/platform/jobs/background.service.js';
import { SearchIndexer } from '../../../../src/blog/public/search/index/search-indexer.js';
import { searchMigration } from '../../../../src/blog/public/search/index/search.migration.js';
import { SpellingPruning } from '../../../../src/blog/public/search/index/spelling-pruning.job.js';
import { SpellingStore } from '../../../../src/blog/public/search/index/spelling-store.js';
import type { Spelling } from '../../../../src/blog/public/search/index/spelling.schema.js';
import type { BlogBody } from '../../../support/blog-fields.js';
import { blogIn } from '../../../support/factories.js';
import { DAY, HOUR, MINUTE } from '../../../support/time/clock.js';
import { foldChanges, openBlogFixture, type BlogFixture } from '../../core/fixture.js';

describe('The pruning of spellings', () => {
  let fixture: BlogFixture;
  let pruning: SpellingPruning;
  let spellings: mongo.Collection<Spelling>;

  beforeAll(async () => {
    fixture = await openBlogFixture();
    pruning = fixture.app.get(SpellingPruning);
    spellings = fixture.db.collection('search_spellings');
  });

  beforeEach(async () => {
    await fixture.db.collection('blogs').deleteMany({});
    await spellings.deleteMany({});
    letAnHourPass();
  });

  /** The server remembers no spelling that was stored before this call. */
  const letAnHourPass = (): void => {
    fixture.app.get(SearchIndexer)['spellings']['rememberedSince'] = new Date(Date.now() - HOUR);
  };

  const live = async (changes: Partial<BlogBody>): Promise<string> => {
    const others = { title: 'Boats', description: 'Boats', draftText: '<p>Boats</p>', tags: [] };
    const body = { ...others, ...changes };
    const { _id } = await blogIn('live', fixture.author, fixture.editor, body);
    await foldChanges(fixture);
    return _id;
  };
  const edit = (id: string, changes: object) =>
    fixture.author.client.put(`/blog/author/id/${id}`, changes);
  const publish = async (id: string): Promise<void> => {
    await fixture.author.client.put(`/blog/author/submit/${id}`);
    const { status } = await fixture.editor.client.put(`/blog/editor/publish/id/${id}`);
    expect(status).toBe(200);
    await foldChanges(fixture);
  };
  /** Publishes as a server does that remembers all spellings as stored. */
  const publishByOlderServer = async (id: string): Promise<void> => {
    const spy = jest.spyOn(fixture.app.get(SearchIndexer)['spellings'], 'unknownOf');
    spy.mockReturnValue([]);
    await publish(id);
    spy.mockRestore();
  };
  const unpublish = (id: string) => fixture.editor.client.put(`/blog/editor/unpublish/id/${id}`);
  const remove = (id: string) => fixture.author.client.delete(`/blog/author/id/${id}`);

  const run = () => pruning.run(new AbortController().signal);
  /** Moves the marks back in time. */
  const age = (ms: number) =>
    spellings.updateMany({ unusedSince: { $exists: true } }, [
      { $set: { unusedSince: { $subtract: ['$unusedSince', ms] } } },
    ]);
  const prune = async (): Promise<string | null> => {
    await run();
    await age(DAY);
    return run();
  };
  const stored = async (...ids: string[]): Promise<string[]> =>
    (await spellings.find({ _id: { $in: ids } }).toArray()).map(({ _id }) => _id);
  const foundBy = async (q: string): Promise<string[]> => {
    const { body } = await fixture.client.get<{ items: { _id: string }[] }>(
      `/blogs/search?${new URLSearchParams({ q }).toString()}`,
    );
    return body.data.items.map(({ _id }) => _id);
  };

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['was unpublished', unpublish],
    ['was deleted', remove],
    [
      'was published without it',
      async (id) => {
        await edit(id, { title: 'Mountains' });
        await publish(id);
      },
    ],
  ])('should remove those of an article that %s', async (_what, leave) => {
    const id = await live({ title: 'Zeppelins' });
    await live({});
    await leave(id);
    expect(await prune()).toBe('spellings without an article removed: 1');
    expect(await stored('zeppelins', 'boats')).toEqual(['boats']);
  });

  it.each<[string, Partial<BlogBody>, string]>([
    ['a title', { title: 'Zeppelins' }, 'zeppelins'],
    ['a tag', { tags: ['zeppelins'] }, 'zeppelins'],
    ['a description', { description: 'Zeppelins' }, 'zeppelins'],
    ['a text', { draftText: '<p>Zeppelins</p>' }, 'zeppelins'],
    ['another form of a word', { title: 'Node.js' }, 'nodejs~'],
  ])('should keep those of %s while an article has them', async (_what, changes, spelling) => {
    await live(changes);
    const id = await live(changes);
    await edit(id, { title: 'Mountains', tags: [], description: 'Hills', draftText: '<p>Up</p>' });
    expect([await prune(), await stored(spelling)]).toEqual([null, [spelling]]);
    await unpublish(id);
    expect([await prune(), await stored(spelling)]).toEqual([null, [spelling]]);
  });

  it('should remove another form although an article has it as a word, and the reverse', async () => {
    const id = await live({ title: 'Node.js' });
    await live({ title: 'Nodejs' });
    await unpublish(id);
    await prune();
    expect(await stored('nodejs', 'nodejs~')).toEqual(['nodejs']);
  });

  it('should reach every spelling, and stop between two batches', async () => {
    const many = Array.from({ length: 450 }, (_, at) => ({ _id: `word${at}`, stem: `word${at}` }));
    await spellings.insertMany(many);
    await run();
    await age(DAY);
    expect(await pruning.run(AbortSignal.abort())).toBeNull();
    expect(await run()).toBe('spellings without an article removed: 450');
  });

  it('should keep a spelling for a day, in which an older server may remember it', async () => {
    await unpublish(await live({ title: 'Zeppelins' }));
    await run();
    expect(await run()).toBeNull();
    await age(DAY - HOUR);
    expect(await run()).toBeNull();
    await age(HOUR);
    expect(await run()).toBe('spellings without an article removed: 2');
  });

  it('should keep what an older server has published without taking the mark back', async () => {
    const id = await live({ title: 'Zeppelins' });
    await unpublish(id);
    await run();
    await age(DAY);
    await publishByOlderServer(id);
    expect(await prune()).toBeNull();
    expect(await foundBy('zeppel')).toEqual([id]);
    // The run has taken the old mark back, so the spelling is kept for another day.
    await unpublish(id);
    expect(await run()).toBeNull();
  });

  it('should leave an article of an older server to be found after the next migration', async () => {
    const id = await live({ title: 'Zeppelins' });
    await unpublish(id);
    await prune();
    await publishByOlderServer(id);
    expect([await foundBy('zeppelins'), await foundBy('zeppel')]).toEqual([[id], []]);
    await searchMigration('en').run(fixture.db, { dryRun: false });
    fixture.invalidateCaches();
    expect(await foundBy('zeppel')).toEqual([id]);
  });

  it('should find an article that is published between the check and the removal', async () => {
    const id = await live({ title: 'Zeppelins' });
    await unpublish(id);
    await run();
    await age(DAY);
    letAnHourPass();
    const target = pruning as unknown as {
      usedOf(batch: Spelling[]): Promise<ReadonlySet<string>>;
    };
    const check = target.usedOf.bind(pruning);
    const spy = jest.spyOn(target, 'usedOf').mockImplementationOnce(async (batch) => {
      const used = await check(batch);
      expect([...used]).toEqual([]);
      await publish(id);
      return used;
    });
    expect(await run()).toBeNull();
    spy.mockRestore();
    expect(await foundBy('zeppel')).toEqual([id]);
  });

  it('should find an article that is published between the removal and the next run', async () => {
    const id = await live({ title: 'Zeppelins' });
    await unpublish(id);
    await prune();
    letAnHourPass();
    await publish(id);
    expect(await foundBy('zeppel')).toEqual([id]);
  });

  it('should run in every server', () => {
    expect([...fixture.app.get(BackgroundService).counts.keys()]).toContain('spelling pruning');
  });
});

describe('SpellingStore', () => {
  it('should remember a spelling for less than an hour, also if the clock was set back', async () => {
    const fixture = await openBlogFixture();
    const spellings = fixture.db.collection<Spelling>('search_spellings');
    let now = Date.now();
    const store = new SpellingStore(spellings, { now: () => new Date(now) });
    const isStoredAgainAfter = async (ms: number): Promise<boolean> => {
      await store.storeUnknown([['zeppelins', 'zeppelin']]);
      await spellings.deleteMany({});
      now += ms;
      await store.storeUnknown([['zeppelins', 'zeppelin']]);
      return (await spellings.countDocuments()) === 1;
    };
    expect(await isStoredAgainAfter(59 * MINUTE)).toBe(false);
    expect(await isStoredAgainAfter(MINUTE)).toBe(true);
    expect(await isStoredAgainAfter(-MINUTE)).toBe(true);
    // To ask for a spelling again does not prolong the hour.
    expect(await isStoredAgainAfter(30 * MINUTE)).toBe(false);
    expect(await isStoredAgainAfter(30 * MINUTE)).toBe(true);
  });
});
