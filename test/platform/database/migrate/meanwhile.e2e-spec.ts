import { beforeEach, describe, expect, it } from '@jest/globals';
import type { mongo } from 'mongoose';
import { blogMigration } from '../../../../src/blog/core/migration/blog.migration.js';
import { userMigration } from '../../../../src/user/migration/user.migration.js';
import {
  createGoserveDatabase,
  goserveBlog,
  publishedGoserveBlog,
  type GoserveDatabase,
  type Raw,
} from './goserve-database.js';

/**
 * A proxy of the database that calls `interrupt` when the migration has read a batch of records and is about to
 * write it.
 */
function interrupted(db: mongo.Db, name: string, interrupt: () => Promise<unknown>): mongo.Db {
  const collection = db.collection(name);
  const bulkWrite: mongo.Collection['bulkWrite'] = async (operations, options) => {
    await interrupt();
    return collection.bulkWrite(operations, options);
  };
  const watched = new Proxy(collection, {
    get: (target, property) => {
      if (property === 'bulkWrite') return bulkWrite;
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return new Proxy(db, {
    get: (target, property) =>
      property === 'collection'
        ? (asked: string) => (asked === name ? watched : target.collection(asked))
        : (Reflect.get(target, property, target) as unknown),
  });
}

describe('migrating while servers write', () => {
  let goserve: GoserveDatabase;
  let blogs: mongo.Collection;

  const stored = ({ _id }: Raw) => blogs.findOne({ _id });

  beforeEach(async () => {
    goserve = await createGoserveDatabase();
    blogs = goserve.db.collection('blogs');
  });

  it('should migrate a record that an author changes meanwhile, with the change', async () => {
    const blog = publishedGoserveBlog();
    const otherBlog = publishedGoserveBlog();
    await blogs.insertMany([blog, otherBlog]);
    const edit = { title: 'Quicksilver', draftText: '<p>New</p>', drafted: true };
    let times = 0;
    const db = interrupted(goserve.db, 'blogs', async () => {
      times += 1;
      if (times === 1) await blogs.updateOne({ _id: blog._id }, { $set: edit });
    });
    const { changed, unresolved } = await blogMigration.run(db, { dryRun: false });
    expect(await stored(blog)).toMatchObject({
      ...edit,
      titleWords: ['quicksilver'],
      text: blog['text'],
      published: true,
      rev: 1,
    });
    expect(await stored(otherBlog)).toMatchObject({ rev: 1 });
    expect(changed).toContain('2 blogs: public version made from the record');
    expect(unresolved).toEqual([]);
  });

  it('should not restore a blog that an author deletes meanwhile', async () => {
    const blog = publishedGoserveBlog();
    await blogs.insertOne(blog);
    const db = interrupted(goserve.db, 'blogs', () =>
      blogs.updateOne({ _id: blog._id }, { $set: { status: false } }),
    );
    await blogMigration.run(db, { dryRun: false });
    const migrated = await stored(blog);
    expect(migrated).toMatchObject({ status: false, published: false, slugs: [] });
    expect(migrated).not.toHaveProperty('live');
  });

  it('should assign another slug when the intended slug is taken meanwhile', async () => {
    await blogs.createIndex(
      { slugs: 1 },
      { unique: true, partialFilterExpression: { slugs: { $gt: '' } } },
    );
    const [older, younger] = [goserveBlog({ slug: 'notes' }), goserveBlog({ slug: 'Notes' })];
    await blogs.insertMany([older, younger]);
    const created = goserveBlog({ slug: 'notes-2', slugs: ['notes-2'] });
    let times = 0;
    const db = interrupted(goserve.db, 'blogs', async () => {
      times += 1;
      if (times === 1) await blogs.insertOne(created);
    });
    const { changed } = await blogMigration.run(db, { dryRun: false });
    expect(await stored(older)).toMatchObject({ slugs: ['notes'] });
    expect(await stored(created)).toMatchObject({ slugs: ['notes-2'] });
    expect(await stored(younger)).toMatchObject({ slugs: ['notes-3'] });
    expect(changed.filter((line) => line.includes('belongs to'))).toHaveLength(1);
  });

  it('should report a record that changes before every attempt to write it', async () => {
    const [restless, quiet] = [goserveBlog(), goserveBlog()];
    await blogs.insertMany([restless, quiet]);
    const db = interrupted(goserve.db, 'blogs', () =>
      blogs.updateOne({ _id: restless._id }, { $inc: { score: 1 } }),
    );
    const { unresolved } = await blogMigration.run(db, { dryRun: false });
    expect(unresolved).toEqual([
      expect.stringMatching(`^blog ${restless._id.toHexString()}: it changed while .* again$`),
    ]);
    expect(await stored(restless)).not.toHaveProperty('rev');
    expect(await stored(quiet)).toMatchObject({ rev: 1 });
  });

  it('should not lower-case an email address if another user takes the lower-case form meanwhile', async () => {
    const users = goserve.db.collection('users');
    const [ada, other] = [
      goserve.goserveUser('Ada@example.org'),
      goserve.goserveUser('other@example.org'),
    ];
    await users.insertMany([ada, other]);
    let times = 0;
    const db = interrupted(goserve.db, 'users', async () => {
      times += 1;
      if (times === 1) await users.insertOne(goserve.goserveUser('ada@example.org'));
    });
    const { unresolved } = await userMigration.run(db, { dryRun: false });
    expect(await users.findOne({ _id: ada._id })).toMatchObject({
      email: 'Ada@example.org',
      epoch: 0,
    });
    expect(await users.findOne({ _id: other._id })).toMatchObject({ epoch: 0 });
    expect(unresolved).toHaveLength(2);
  });
});

describe('migrating a record that MongoDB could not take with its changes', () => {
  it('should report it, and migrate the others', async () => {
    const goserve = await createGoserveDatabase();
    const blogs = goserve.db.collection('blogs');
    const large = goserveBlog({ draftText: `<p x="y">${'x'.repeat(9_000_000)}</p>` });
    const other = goserveBlog();
    await blogs.insertMany([large, other]);
    const dry = await blogMigration.run(goserve.db, { dryRun: true });
    const report = await blogMigration.run(goserve.db, { dryRun: false });
    expect(report).toEqual(dry);
    expect(report.unresolved).toEqual([
      expect.stringContaining(`blog ${String(large._id)}: it is too large to be migrated`),
    ]);
    expect(await blogs.findOne({ _id: large._id })).toEqual(large);
    expect(await blogs.findOne({ _id: other._id })).toMatchObject({ rev: 1 });
  });
});
