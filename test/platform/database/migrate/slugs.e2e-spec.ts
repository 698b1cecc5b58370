import { beforeEach, describe, expect, it } from '@jest/globals';
import { Types, type mongo } from 'mongoose';
import { blogMigration } from '../../../../src/blog/core/migration/blog.migration.js';
import {
  createGoserveDatabase,
  GO_ZERO_TIME,
  goserveBlog,
  publishedGoserveBlog,
  type GoserveDatabase,
  type Raw,
} from './goserve-database.js';

const notDry = { dryRun: false };
const day = (number: number) => new Date(Date.UTC(2024, 0, number));

describe('migrating the slugs of a goserve database', () => {
  let goserve: GoserveDatabase;
  let blogs: mongo.Collection;

  const createSlugsIndex = () =>
    blogs.createIndex(
      { slugs: 1 },
      { unique: true, partialFilterExpression: { slugs: { $gt: '' } } },
    );
  const slugOf = async ({ _id }: Raw) => {
    const { slug, slugs, live } = (await blogs.findOne({ _id }))!;
    expect(slugs).toEqual([slug]);
    if (live !== undefined) expect(live).toMatchObject({ slug });
    return slug as unknown;
  };

  beforeEach(async () => {
    goserve = await createGoserveDatabase();
    blogs = goserve.db.collection('blogs');
  });

  it.each([true, false])(
    'should leave a shared slug to the oldest blog and number the others (with slugs index: %s)',
    async (isIndexed) => {
      if (isIndexed) await createSlugsIndex();
      const younger = publishedGoserveBlog({ slug: 'notes', createdAt: day(3) });
      const oldest = goserveBlog({ slug: 'Notes', createdAt: day(1) });
      const second = publishedGoserveBlog({ slug: ' NOTES ', createdAt: day(2) });
      const numbered = goserveBlog({ slug: 'notes-2', createdAt: day(4) });
      await blogs.insertMany([younger, oldest, second, numbered]);
      const dry = await blogMigration.run(goserve.db, { dryRun: true });
      const { changed, unresolved } = await blogMigration.run(goserve.db, notDry);
      expect({ changed, unresolved }).toEqual(dry);
      expect(await slugOf(oldest)).toBe('notes');
      expect(await slugOf(numbered)).toBe('notes-2');
      expect(await slugOf(second)).toBe('notes-3');
      expect(await slugOf(younger)).toBe('notes-4');
      const id = (blog: Raw) => blog._id.toHexString();
      const belongs = `its slug "notes" belongs to blog ${id(oldest)}`;
      expect(changed).toEqual(
        expect.arrayContaining([
          `blog ${id(second)}: ${belongs}, now "notes-3"`,
          `blog ${id(younger)}: ${belongs}, now "notes-4"`,
        ]),
      );
      expect(unresolved).toEqual([]);
      expect(await blogMigration.run(goserve.db, notDry)).toEqual({ changed: [], unresolved: [] });
      await createSlugsIndex();
    },
  );

  it('should order records without a time, or with equal times, by id, and prefer a stored slug to a generated one', async () => {
    const id = (start: string) => new Types.ObjectId(start.padEnd(24, '0'));
    const early = goserveBlog({ _id: id('60'), slug: 'a', createdAt: GO_ZERO_TIME });
    const late = goserveBlog({ _id: id('6f'), slug: 'A', createdAt: null });
    const first = goserveBlog({ _id: id('6a1'), slug: 'B', createdAt: day(1) });
    const second = goserveBlog({ _id: id('6a2'), slug: 'b', createdAt: day(1) });
    const fromTitle = goserveBlog({ title: 'The same', slug: '!', createdAt: day(1) });
    const fromSlug = goserveBlog({ slug: 'the-same', createdAt: day(2) });
    const deleted = publishedGoserveBlog({ slug: 'Gone', status: false, createdAt: day(1) });
    const reused = goserveBlog({ slug: 'gone', createdAt: day(2) });
    await blogs.insertMany([second, late, first, early, fromTitle, fromSlug, deleted, reused]);
    await blogMigration.run(goserve.db, notDry);
    const slugs = await Promise.all(
      [early, late, first, second, fromSlug, fromTitle, reused].map(slugOf),
    );
    expect(slugs).toEqual(['a', 'a-2', 'b', 'b-2', 'the-same', 'the-same-2', 'gone']);
    expect(await blogs.findOne({ _id: deleted._id })).toMatchObject({ slug: 'Gone', slugs: [] });
  });

  it('should leave a slug to the migrated blog that has it, even if another blog is older', async () => {
    const holder = goserveBlog({ slug: 'held', createdAt: day(9) });
    await blogs.insertOne(holder);
    await blogMigration.run(goserve.db, notDry);
    await createSlugsIndex();
    const older = goserveBlog({ slug: 'Held', createdAt: day(1) });
    await blogs.insertOne(older);
    await blogMigration.run(goserve.db, notDry);
    expect(await slugOf(holder)).toBe('held');
    expect(await slugOf(older)).toBe('held-2');
  });

  it('should number thirty blogs with the same slug', async () => {
    await blogs.dropIndex('slug_1');
    await blogs.insertMany(Array.from({ length: 30 }, () => goserveBlog({ slug: 'same' })));
    await blogMigration.run(goserve.db, notDry);
    expect(new Set(await blogs.distinct('slugs')).size).toBe(30);
    await createSlugsIndex();
    expect(await blogMigration.run(goserve.db, notDry)).toEqual({ changed: [], unresolved: [] });
  });

  it('should give two blogs different slugs if they got the same slug while there was no unique index', async () => {
    const [older, younger] = [goserveBlog({ slug: 'one' }), goserveBlog({ slug: 'two' })];
    await blogs.insertMany([older, younger]);
    await blogMigration.run(goserve.db, notDry);
    await blogs.updateOne({ _id: younger._id }, { $set: { slug: 'one', slugs: ['one'] } });
    await blogMigration.run(goserve.db, notDry);
    expect(await slugOf(older)).toBe('one');
    expect(await slugOf(younger)).toBe('one-2');
    expect(await blogs.findOne({ _id: younger._id })).toMatchObject({ rev: 2 });
  });
});
