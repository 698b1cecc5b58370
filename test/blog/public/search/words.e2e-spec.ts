import { beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Types } from 'mongoose';
import { SearchIndexer } from '../../../../src/blog/public/search/index/search-indexer.js';
import { searchMigration } from '../../../../src/blog/public/search/index/search.migration.js';
import { SpellingStore } from '../../../../src/blog/public/search/index/spelling-store.js';
import { blogIn, unique } from '../../../support/factories.js';
import { openBlogFixture, storedBlog, type BlogFixture } from '../../core/fixture.js';

let fixture: BlogFixture;

beforeAll(async () => {
  fixture = await openBlogFixture();
});

// article-words.worker.spec.ts proves which words and spellings are stored.
describe('The words of an article', () => {
  const wordsOf = async (id: string): Promise<unknown> => {
    const { live } = await storedBlog(fixture.db, id);
    return (live as { words?: unknown } | undefined)?.words;
  };
  const edit = (id: string, changes: object) =>
    fixture.author.client.put(`/blog/author/id/${id}`, changes);
  const submit = (id: string) => fixture.author.client.put(`/blog/author/submit/${id}`);
  const publish = (id: string) => fixture.editor.client.put(`/blog/editor/publish/id/${id}`);

  it('should change with a publication, and not before it', async () => {
    const { _id } = await blogIn('live', fixture.author, fixture.editor, { title: 'Harbours' });
    const before = await wordsOf(_id);
    await edit(_id, { title: 'Mountains' });
    await submit(_id);
    expect(await wordsOf(_id)).toEqual(before);
    await publish(_id);
    expect(await wordsOf(_id)).toContain('0mountain');
    expect(await wordsOf(_id)).not.toContain('0harbour');
  });

  it('should be removed when a blog is unpublished or deleted', async () => {
    const unpublished = await blogIn('live with draft', fixture.author, fixture.editor);
    await fixture.editor.client.put(`/blog/editor/unpublish/id/${unpublished._id}`);
    const deleted = await blogIn('live in review', fixture.author, fixture.editor);
    await fixture.author.client.delete(`/blog/author/id/${deleted._id}`);
    for (const { _id } of [unpublished, deleted]) expect(await wordsOf(_id)).toBeUndefined();
  });

  it('should not be stored for a blog that was never published', async () => {
    for (const state of ['draft', 'in review'] as const) {
      const { _id, body } = await blogIn(state, fixture.author, fixture.editor, {
        title: unique('secret'),
      });
      expect(await wordsOf(_id)).toBeUndefined();
      const spelling = String(body.title).split('-').at(-1);
      expect(
        await fixture.db.collection('search_spellings').countDocuments({ _id: spelling as never }),
      ).toBe(0);
    }
  });

  it('should be those of the published text, even if it changes while they are extracted', async () => {
    const { _id } = await blogIn('in review', fixture.author, fixture.editor, {
      title: 'Harbours',
    });
    const indexer = fixture.app.get(SearchIndexer);
    const extract = indexer.wordsOf.bind(indexer);
    jest.spyOn(indexer, 'wordsOf').mockImplementationOnce(async (blog) => {
      const words = await extract(blog);
      await fixture.author.client.put(`/blog/author/withdraw/${_id}`);
      await edit(_id, { title: 'Mountains' });
      await submit(_id);
      return words;
    });
    expect((await publish(_id)).status).toBe(200);
    expect(await wordsOf(_id)).toContain('0mountain');
    expect(await wordsOf(_id)).not.toContain('0harbour');
  });

  it('should not be extracted for a publish with a stale If-Match', async () => {
    const { _id } = await blogIn('in review', fixture.author, fixture.editor);
    const spy = jest.spyOn(fixture.app.get(SearchIndexer), 'wordsOf');
    const { status } = await fixture.editor.client.put(
      `/blog/editor/publish/id/${_id}`,
      undefined,
      {
        headers: { 'if-match': '"1"' },
      },
    );
    expect([status, spy.mock.calls.length]).toEqual([412, 0]);
    spy.mockRestore();
  });

  it('should not prevent the publication of a record of an older version', async () => {
    const { _id } = await blogIn('in review', fixture.author, fixture.editor, {
      title: 'Harbours',
    });
    await fixture.db
      .collection('blogs')
      .updateOne({ _id: new Types.ObjectId(_id) }, { $unset: { revisions: 1, htmlVersion: 1 } });
    expect((await publish(_id)).status).toBe(200);
    expect(await wordsOf(_id)).toContain('0harbour');
  });
});

describe('The migration of the search', () => {
  let id: string;

  beforeEach(async () => {
    await fixture.db.collection('blogs').deleteMany({});
    await fixture.db.collection('search_spellings').deleteMany({});
    const blog = await blogIn('live', fixture.author, fixture.editor, { title: 'Häuser am Meer' });
    id = blog._id;
  });

  const update = (change: object) =>
    fixture.db.collection('blogs').updateOne({ _id: new Types.ObjectId(id) }, change);
  const words = async (): Promise<readonly string[] | undefined> =>
    ((await storedBlog(fixture.db, id))['live'] as { words?: readonly string[] }).words;
  /** Stores what the migration service stores after a run. */
  const record = async (language: 'en' | 'de'): Promise<void> => {
    const records = fixture.db.collection<{ _id: string }>('migrations');
    await records.deleteMany({ _id: /-search-/ });
    await records.insertOne({ _id: searchMigration(language).name });
  };
  const appliedNames = async (): Promise<string[]> => {
    const records = await fixture.db
      .collection<{ _id: string }>('migrations')
      .find({ _id: /-search-/ })
      .toArray();
    return records.map(({ _id }) => _id);
  };

  it('should index what an older version has published, and change nothing else', async () => {
    const before = await storedBlog(fixture.db, id);
    await update({ $unset: { 'live.words': 1 } });
    await record('en');
    const report = await searchMigration('en').run(fixture.db, { dryRun: false });
    expect(report).toEqual({ changed: ['1 blog: indexed for the search'], unresolved: [] });
    expect(await storedBlog(fixture.db, id)).toEqual(before);
    const again = await searchMigration('en').run(fixture.db, { dryRun: false });
    expect(again).toEqual({ changed: [], unresolved: [] });
  });

  it('should only report in a dry run', async () => {
    await update({ $unset: { 'live.words': 1 } });
    await record('en');
    const report = await searchMigration('en').run(fixture.db, { dryRun: true });
    expect(report.changed).toEqual(['1 blog: indexed for the search']);
    expect(await words()).toBeUndefined();
  });

  it('should index anew for another language, and again for the first one', async () => {
    const inEnglish = await words();
    const stem = async (spelling: string) =>
      (
        await fixture.db
          .collection<{ _id: string; stem: string }>('search_spellings')
          .findOne({ _id: spelling })
      )?.stem;
    const german = await searchMigration('de').run(fixture.db, { dryRun: false });
    expect(german.changed).toEqual(['articles indexed for the search: de']);
    expect(await words()).toContain('0haus');
    expect(await stem('hauser')).toBe('haus');
    await searchMigration('none').run(fixture.db, { dryRun: false });
    expect(await words()).toContain('0hauser');
    expect(await stem('hauser')).toBe('hauser');
    await searchMigration('en').run(fixture.db, { dryRun: false });
    expect(await words()).toEqual(inEnglish);
  });

  it('should forget the migration to another language, which may then run again', async () => {
    const english = searchMigration('en');
    const german = searchMigration('de');
    const records = fixture.db.collection<{ _id: string }>('migrations');
    await records.deleteMany({ _id: english.name });
    await records.insertMany([{ _id: english.name }, { _id: german.name }]);
    await english.run(fixture.db, { dryRun: true });
    expect(await appliedNames()).toContain(german.name);
    await english.run(fixture.db, { dryRun: false });
    expect(await appliedNames()).toEqual([english.name]);
  });

  it.each([
    ['an edit', false, '0haus'],
    ['a publication', true, '0mountain'],
  ])('should give a blog its words although %s comes between', async (_what, isPublished, word) => {
    await update({ $unset: { 'live.words': 1 } });
    const spy = jest.spyOn(SpellingStore.prototype, 'store').mockImplementationOnce(async () => {
      spy.mockRestore();
      await fixture.author.client.put(`/blog/author/id/${id}`, { title: 'Mountains' });
      if (!isPublished) return;
      await fixture.author.client.put(`/blog/author/submit/${id}`);
      await fixture.editor.client.put(`/blog/editor/publish/id/${id}`);
    });
    await searchMigration('de').run(fixture.db, { dryRun: false });
    expect(await words()).toContain(word);
  });

  it('should index nothing that cleaning removes', async () => {
    await update({
      $set: { text: '<p>harbour</p><script>secretword</script>', htmlVersion: 1 },
      $unset: { 'live.words': 1 },
    });
    await searchMigration('en').run(fixture.db, { dryRun: false });
    expect(await words()).toContain('3harbour');
    expect(await words()).not.toContain('3secretword');
  });

  it('should index nothing that is not live', async () => {
    await update({ $set: { published: false, drafted: true }, $unset: { 'live.words': 1 } });
    await searchMigration('en').run(fixture.db, { dryRun: false });
    expect(await words()).toBeUndefined();
  });
});
