import bcrypt from 'bcryptjs';
import { Types, type mongo } from 'mongoose';
import { collectionNames, connect, freshDatabaseUri } from '../../../support/mongo/mongo.js';

/** Go's zero time, which goserve stores for a missing time. */
export const GO_ZERO_TIME = new Date('0001-01-01T00:00:00Z');

export const GOSERVE_API_KEY = '1D3F2DD1A5DE725DD4DF1D82BBB37';
export const PASSWORD = 'changeit';

export type Raw = Record<string, unknown> & { readonly _id: Types.ObjectId };

let counter = 0;

/** A draft as stored by the goserve server. */
export function goserveBlog(fields: Readonly<Record<string, unknown>> = {}): Raw {
  counter += 1;
  const author = new Types.ObjectId();
  const createdAt = new Date(Date.UTC(2024, 4, 1) + counter * 60_000);
  return {
    _id: new Types.ObjectId(),
    title: `A blog of goserve, number ${counter}`,
    description: `What the blog with the number ${counter} is about`,
    draftText: `<p>Draft ${counter}</p>`,
    tags: ['GO', 'Mongo'],
    author,
    slug: `goserve-blog-${counter}`,
    score: 0.01,
    submitted: false,
    drafted: true,
    published: false,
    status: true,
    createdBy: author,
    updatedBy: author,
    createdAt,
    updatedAt: new Date(createdAt.getTime() + 30_000),
    ...fields,
  };
}

/** A published blog as stored by the goserve server; its text equals the draft. */
export function publishedGoserveBlog(fields: Readonly<Record<string, unknown>> = {}): Raw {
  const blog = goserveBlog();
  return {
    ...blog,
    text: blog['draftText'],
    drafted: false,
    published: true,
    publishedAt: new Date((blog['createdAt'] as Date).getTime() + 20_000),
    ...fields,
  };
}

/** The record without these fields. */
export function without(record: Raw, ...fields: readonly string[]): Raw {
  const kept = Object.entries(record).filter(([field]) => !fields.includes(field));
  return Object.fromEntries(kept) as Raw;
}

export interface GoserveDatabase {
  readonly uri: string;
  readonly db: mongo.Db;
  readonly roles: Readonly<Record<'LEARNER' | 'WRITER' | 'EDITOR' | 'ADMIN', Types.ObjectId>>;
  /** A user with these fields. The password is PASSWORD, hashed as goserve does, at a low cost. */
  goserveUser(email: string, fields?: Readonly<Record<string, unknown>>): Raw;
  /** All documents and indexes as stored, except those of `background_jobs`, which has the lock of migrations. */
  snapshot(): Promise<Record<string, { documents: string[]; indexes: unknown }>>;
}

/** A database with the indexes, roles and the API key of a goserve server. */
export async function createGoserveDatabase(): Promise<GoserveDatabase> {
  const uri = freshDatabaseUri();
  const db = (await connect(uri)).db();
  await createGoserveIndexes(db);
  const createdAt = new Date('2024-05-01T00:00:00Z');
  const times = { createdAt, updatedAt: createdAt };
  const roles = {
    LEARNER: new Types.ObjectId(),
    WRITER: new Types.ObjectId(),
    EDITOR: new Types.ObjectId(),
    ADMIN: new Types.ObjectId(),
  };
  await db
    .collection('roles')
    .insertMany(
      Object.entries(roles).map(([code, _id]) => ({ _id, code, status: true, ...times })),
    );
  await db.collection('api_keys').insertOne({
    key: GOSERVE_API_KEY,
    version: 1,
    permissions: ['GENERAL'],
    comments: ['To be used by the xyz vendor'],
    status: true,
    ...times,
  });
  const password = (await bcrypt.hash(PASSWORD, 5)).replace(/^\$2b\$/, '$2a$');
  return {
    uri,
    db,
    roles,
    goserveUser: (email, fields = {}) => ({
      _id: new Types.ObjectId(),
      name: `User ${email}`,
      email,
      password,
      roles: [roles.LEARNER],
      verified: false,
      status: true,
      ...times,
      ...fields,
    }),
    snapshot: () => snapshotOf(db),
  };
}

async function createGoserveIndexes(db: mongo.Db): Promise<void> {
  await db
    .collection('blogs')
    .createIndexes([
      { key: { _id: 1, status: 1 } },
      { key: { slug: 1 }, unique: true },
      { key: { published: 1, status: 1 } },
      { key: { title: 'text', description: 'text' }, weights: { title: 3, description: 1 } },
    ]);
  await db
    .collection('api_keys')
    .createIndexes([{ key: { key: 1 }, unique: true }, { key: { key: 1, status: 1 } }]);
  await db
    .collection('users')
    .createIndexes([{ key: { email: 1 }, unique: true }, { key: { email: 1, status: 1 } }]);
  await db.collection('roles').createIndex({ code: 1 }, { unique: true });
}

async function snapshotOf(db: mongo.Db): ReturnType<GoserveDatabase['snapshot']> {
  const names = (await collectionNames(db)).filter((name) => name !== 'background_jobs');
  const entries = names.map(async (name) => {
    const collection = db.collection(name);
    const documents = await collection.find({}, { raw: true }).sort({ _id: 1 }).toArray();
    return [
      name,
      {
        documents: documents.map((bytes) => (bytes as unknown as Buffer).toString('hex')),
        indexes: await collection.indexes(),
      },
    ] as const;
  });
  return Object.fromEntries((await Promise.all(entries)).sort(([a], [b]) => (a < b ? -1 : 1)));
}
