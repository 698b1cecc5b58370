import { createHash } from 'node:crypto';
import { mongo } from 'mongoose';
import { collectionNames } from '../../../support/mongo/mongo.js';

/** Fields, by collection, that differ whenever a migration runs on the same records. */
const VARYING_FIELDS: Readonly<Record<string, readonly string[]>> = {
  blogs: ['events.at'],
  migrations: ['appliedAt'],
  roles: ['_id', 'createdAt', 'updatedAt'],
  tags: ['asOf'],
};

/** All records and indexes of a database, except those of `background_jobs`, which has the lock of migrations. */
export async function migratedState(db: mongo.Db): Promise<Record<string, unknown>> {
  const entries = (await namesOf(db)).map(async (name) => {
    const records = await recordsOf(db, name).toArray();
    return [name, { records, indexes: await indexesOf(db, name) }] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Returns what `migratedState` does, with the number and one hash of a collection's records, to save memory. */
export async function hashedState(db: mongo.Db): Promise<Record<string, unknown>> {
  const entries = (await namesOf(db)).map(async (name) => {
    const hash = createHash('sha256');
    let records = 0;
    for await (const record of recordsOf(db, name)) {
      hash.update(mongo.BSON.serialize(record));
      records += 1;
    }
    return [name, { records, hash: hash.digest('hex'), indexes: await indexesOf(db, name) }];
  });
  return Object.fromEntries(await Promise.all(entries)) as Record<string, unknown>;
}

async function namesOf(db: mongo.Db): Promise<string[]> {
  return (await collectionNames(db)).filter((name) => name !== 'background_jobs');
}

function recordsOf(db: mongo.Db, name: string): mongo.FindCursor {
  const projection = Object.fromEntries((VARYING_FIELDS[name] ?? []).map((field) => [field, 0]));
  const order = name === 'roles' ? 'code' : '_id';
  return db.collection(name).find({}, { projection }).sort(order);
}

async function indexesOf(db: mongo.Db, name: string): Promise<string[]> {
  const indexes = await db.collection(name).indexes();
  return indexes.map((index) => JSON.stringify(index)).sort();
}

/** Copies all records, and the unique indexes (because migrations drop them), into an empty database. */
export async function copyDatabase(from: mongo.Db, to: mongo.Db): Promise<void> {
  for (const name of await collectionNames(from)) {
    const [source, target] = [from.collection(name), to.collection(name)];
    const indexes = (await source.indexes()).filter(({ unique }) => unique === true);
    if (indexes.length > 0) {
      await target.createIndexes(
        indexes.map(({ v: _, ...index }) => index as mongo.IndexDescription),
      );
    }
    await source.aggregate([{ $out: { db: to.databaseName, coll: name } }]).toArray();
  }
}
