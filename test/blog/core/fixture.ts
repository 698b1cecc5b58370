import { Types, type mongo } from 'mongoose';
import type { Blog } from '../../../src/blog/core/blog.schema.js';
import { ChangeFolding } from '../../../src/blog/public/counts/change-folding.service.js';
import { tagOf } from '../../../src/blog/public/counts/list-names.js';
import { changesOfLists, publicChangesOf } from '../../../src/blog/public/counts/public-change.js';
import { blogIn, person, type Person } from '../../support/factories.js';
import { startApp, type StartOptions, type TestApp } from '../../support/start-app.js';

/** A server with two authors and an editor, each with an open session. */
export interface BlogFixture extends TestApp {
  readonly author: Person;
  /** A second author, who has written none of the blogs of `author`. */
  readonly other: Person;
  /** An editor without the role AUTHOR. */
  readonly editor: Person;
}

export async function openBlogFixture(options: StartOptions = {}): Promise<BlogFixture> {
  const server = await startApp(options);
  const author = await person(server, 'AUTHOR');
  const other = await person(server, 'AUTHOR');
  const editor = await person(server, 'EDITOR');
  return { ...server, author, other, editor };
}

/** Does what the outbox relay does a moment after a transition: it carries the changes into the derived records. */
export async function foldChanges({ app }: Pick<TestApp, 'app'>): Promise<void> {
  await app.get(ChangeFolding, { strict: false }).fold();
}

/** Removes all blogs from the database by hand, and resets the counts of their lists. */
export async function removeBlogs(server: Pick<TestApp, 'app' | 'db'>): Promise<void> {
  await foldChanges(server);
  await server.db.collection('blogs').deleteMany({});
  await server.db.collection('lists').updateMany({}, { $set: { count: 0 } });
}

/** The stored document of a blog. */
export async function storedBlog(db: mongo.Db, id: string): Promise<mongo.WithId<mongo.Document>> {
  const blog = await db.collection('blogs').findOne({ _id: new Types.ObjectId(id) });
  if (!blog) throw new Error(`no blog ${id} is stored`);
  return blog;
}

/**
 * Stores copies of a blog under new ids; each change returns the fields in which one copy differs. A copy that readers
 * see is counted.
 */
export async function storeCopies(
  db: mongo.Db,
  id: string,
  changes: readonly ((slug: string) => mongo.Document)[],
): Promise<string[]> {
  const { _id, publicChanges: _, ...blog } = await storedBlog(db, id);
  const copies = changes.map((change, index) => {
    const slug = `copy-${index}-of-${_id.toHexString()}`;
    const copy = {
      ...blog,
      slug,
      slugs: [slug],
      ...change(slug),
      _id: new Types.ObjectId(),
    } as unknown as Blog;
    return copy;
  });
  const shown = copies.filter(({ status, published }) => status && published);
  for (const [list, { count }] of changesOfLists(
    shown.flatMap((copy) => publicChangesOf(copy, new Date())),
  )) {
    const tag = tagOf(list);
    const update = { $inc: { count }, $setOnInsert: tag === null ? {} : { tag } };
    await db
      .collection<{ _id: string }>('lists')
      .updateOne({ _id: list }, update, { upsert: true });
  }
  await db.collection('blogs').insertMany(copies);
  return copies.map((copy) => copy._id.toHexString());
}

/** Publication time of the oldest blog that `storeTimeline` stores. */
const FIRST_AT = Date.UTC(2020, 0, 1);

/**
 * Stores live blogs that were published a minute apart.
 *
 * @param tagKeysOf returns the tag keys of a blog by its number; number 0 is the oldest blog
 * @returns their ids, newest first
 */
export async function storeTimeline(
  { author, editor, db }: Pick<BlogFixture, 'author' | 'editor' | 'db'>,
  count: number,
  tagKeysOf: (number: number) => readonly string[],
): Promise<string[]> {
  const { _id } = await blogIn('live', author, editor);
  const { live } = await storedBlog(db, _id);
  const copies = await storeCopies(
    db,
    _id,
    Array.from({ length: count }, (_, number) => (slug: string) => {
      const tagKeys = tagKeysOf(number);
      const at = new Date(FIRST_AT + number * 60_000);
      return { publishedAt: at, live: { ...live, slug, at, tagKeys, tags: tagKeys } };
    }),
  );
  await author.client.delete(`/blog/author/id/${_id}`);
  return copies.reverse();
}

/** The stored flags of a blog in each state. */
export const FLAGS = {
  draft: { submitted: false, drafted: true, published: false },
  'in review': { submitted: true, drafted: false, published: false },
  live: { submitted: false, drafted: false, published: true },
  'live with draft': { submitted: false, drafted: true, published: true },
  'live in review': { submitted: true, drafted: false, published: true },
} as const;
