import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { searchMigration } from '../../../../src/blog/public/search/index/search.migration.js';
import { blogIn } from '../../../support/factories.js';
import { openBlogFixture, storedBlog, type BlogFixture } from '../../core/fixture.js';

describe('The migration of the search', () => {
  let fixture: BlogFixture;
  let id: string;

  beforeAll(async () => {
    fixture = await openBlogFixture();
  });

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
  /** As the service does after a run. */
  const record = async (language: 'en' | 'de'): Promise<void> => {
    const records = fixture.db.collection<{ _id: string }>('migrations');
    await records.deleteMany({ _id: /-search-/ });
    await records.insertOne({ _id: searchMigration(language).name });
  };
  const applied = async (): Promise<string[]> => {
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
  });

  it('should do nothing a second time', async () => {
    await record('en');
    const report = await searchMigration('en').run(fixture.db, { dryRun: false });
    expect(report).toEqual({ changed: [], unresolved: [] });
  });

  it('should only report in a dry run', async () => {
    await update({ $unset: { 'live.words': 1 } });
    await fixture.db.collection('search_spellings').deleteMany({});
    await record('en');
    const report = await searchMigration('en').run(fixture.db, { dryRun: true });
    expect(report.changed).toEqual(['1 blog: indexed for the search']);
    expect(await words()).toBeUndefined();
    expect(await fixture.db.collection('search_spellings').countDocuments()).toBe(0);
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

  it('should be needed again after another language', async () => {
    const english = searchMigration('en');
    const german = searchMigration('de');
    const records = fixture.db.collection<{ _id: string }>('migrations');
    await records.deleteMany({ _id: english.name });
    await records.insertMany([{ _id: english.name }, { _id: german.name }]);
    await english.run(fixture.db, { dryRun: true });
    expect(await applied()).toContain(german.name);
    await english.run(fixture.db, { dryRun: false });
    expect(await applied()).toEqual([english.name]);
  });

  it('should take nothing into the index that cleaning removes', async () => {
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
