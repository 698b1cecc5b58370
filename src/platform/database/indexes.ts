import type { Connection, IndexDefinition, IndexOptions, mongo } from 'mongoose';
import { isDuplicateKey } from './is-duplicate-key.js';
import type { IndexKeys } from './query-hints.js';

interface DeclaredIndex {
  /** Name of the index with its collection, such as `blogs.slugs_1`. */
  readonly name: string;
  readonly collection: mongo.Collection;
  readonly keys: IndexDefinition;
  readonly options: IndexOptions;
}

/**
 * The indexes that all schemas declare.
 *
 * @param connection the connection whose models declare the indexes
 * @param background the connection that reads and builds the indexes
 */
function declaredIndexes(connection: Connection, background: Connection): DeclaredIndex[] {
  return Object.values(connection.models).flatMap((model) =>
    model.schema.indexes().map(([keys, options]) => ({
      name: `${model.collection.collectionName}.${indexName(keys)}`,
      collection: background.collection(model.collection.collectionName),
      keys,
      options: withoutMongooseOptions(options),
    })),
  );
}

/**
 * Names of the declared indexes that the database lacks or has with different options.
 *
 * @param connection the connection whose models declare the indexes
 * @param background the connection for the queries
 */
export async function missingIndexes(
  connection: Connection,
  background: Connection,
): Promise<string[]> {
  const declared = declaredIndexes(connection, background);
  const collections = [...new Set(declared.map(({ collection }) => collection.collectionName))];
  const stored = new Map(
    await Promise.all(
      collections.map(
        async (name) => [name, await storedIndexes(background.collection(name))] as const,
      ),
    ),
  );
  return declared
    .filter((index) => {
      const candidates = stored.get(index.collection.collectionName) ?? [];
      return !candidates.some((candidate) => isSameIndex(candidate, index));
    })
    .map(({ name }) => name);
}

/**
 * Creates the declared indexes that are missing. Replaces stored indexes that have the same keys but
 * different options.
 *
 * @param connection the connection whose models declare the indexes
 * @param background the connection for the index builds, which may take long
 * @returns the unique indexes that cannot be built because of duplicates: error message by index name
 */
export async function ensureIndexes(
  connection: Connection,
  background: Connection,
): Promise<Map<string, string>> {
  const missing = new Set(await missingIndexes(connection, background));
  const declared = declaredIndexes(connection, background).filter(({ name }) => missing.has(name));
  const byCollection = Map.groupBy(declared, ({ collection }) => collection.collectionName);
  const refused = await Promise.all([...byCollection.values()].map(ensureIndexesOf));
  return new Map(refused.flat());
}

/**
 * Creates indexes of one collection, after dropping the stored indexes with the same keys. The indexes that
 * are not unique are built together, so that MongoDB scans the collection once. Each unique index is built
 * separately, because its build fails if there are duplicates.
 */
async function ensureIndexesOf(indexes: readonly DeclaredIndex[]): Promise<[string, string][]> {
  const collection = (indexes[0] as DeclaredIndex).collection;
  const stored = await storedIndexes(collection);
  const outdated = stored.filter((candidate) =>
    indexes.some(({ keys }) => hasSameKeys(candidate, keys)),
  );
  for (const { name } of outdated) await collection.dropIndex(String(name));
  const nonUnique = indexes.filter(({ options }) => !options.unique);
  if (nonUnique.length > 0) await collection.createIndexes(nonUnique.map(descriptionOf));
  const refused: [string, string][] = [];
  for (const index of indexes.filter(({ options }) => options.unique)) {
    try {
      await collection.createIndexes([descriptionOf(index)]);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      refused.push([index.name, (error as Error).message]);
    }
  }
  return refused;
}

/**
 * Builds those unique indexes of a schema on a collection that the source of its records has as well. Records of a
 * source without such an index may have duplicates, which are left to the migrations.
 *
 * @param name the collection of the schema
 * @param target the collection that gets the indexes
 * @param source the indexes of the source
 * @throws MongoServerError for which `isDuplicateKey` holds
 */
export async function buildUniqueIndexes(
  connection: Connection,
  name: string,
  target: mongo.Collection,
  source: readonly Pick<mongo.IndexDescription, 'key' | 'unique'>[],
): Promise<void> {
  const unique = declaredIndexes(connection, connection).filter(
    ({ collection, keys, options }) =>
      collection.collectionName === name &&
      options.unique === true &&
      source.some((index) => index.unique === true && isSame(index.key, keys)),
  );
  if (unique.length > 0) await target.createIndexes(unique.map(descriptionOf));
}

function descriptionOf({ keys, options }: DeclaredIndex): mongo.IndexDescription {
  return { key: keys, ...options } as mongo.IndexDescription;
}

/**
 * Drops indexes that earlier versions declared.
 *
 * @param old keys of the indexes by collection
 * @param options with `dryRun`, drops none
 * @returns a report line for each index that was found; a dry run reports what a run would
 */
export async function dropOldIndexes(
  connection: Connection,
  old: Readonly<Record<string, readonly IndexKeys[]>>,
  { dryRun }: { readonly dryRun: boolean },
): Promise<string[]> {
  const report: string[] = [];
  for (const [name, keySets] of Object.entries(old)) {
    const collection = connection.collection(name);
    for (const index of await storedIndexes(collection)) {
      if (!keySets.some((keys) => hasSameKeys(index, keys))) continue;
      const indexName = String(index.name);
      if (!dryRun) await collection.dropIndex(indexName);
      report.push(`index ${name}.${indexName} dropped: only earlier versions use it`);
    }
  }
  return report;
}

type StoredIndex = mongo.IndexDescriptionInfo;

/** The indexes that a collection has; none if it does not exist. */
export async function storedIndexes(
  collection: Pick<mongo.Collection, 'indexes'>,
): Promise<StoredIndex[]> {
  try {
    return await collection.indexes();
  } catch (error) {
    // NamespaceNotFound: the collection does not exist yet.
    if (error instanceof Error && 'code' in error && error.code === 26) return [];
    throw error;
  }
}

function isSameIndex(stored: StoredIndex, { keys, options }: DeclaredIndex): boolean {
  return (
    hasSameKeys(stored, keys) &&
    (stored.unique === true) === (options.unique === true) &&
    stored.expireAfterSeconds === options.expireAfterSeconds &&
    stored.sparse !== true &&
    isSame(stored.partialFilterExpression, options.partialFilterExpression)
  );
}

/** Whether the keys are the same and in the same order. */
function hasSameKeys(stored: StoredIndex, keys: IndexDefinition | IndexKeys): boolean {
  return isSame(stored.key, keys);
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left ?? null) === JSON.stringify(right ?? null);
}

function indexName(keys: IndexDefinition): string {
  return Object.entries(keys as Record<string, unknown>)
    .map(([path, direction]) => `${path}_${String(direction)}`)
    .join('_');
}

/** Removes `background`, which Mongoose adds and MongoDB ignores since 4.2. */
function withoutMongooseOptions({ background: _, ...options }: IndexOptions): IndexOptions {
  return options;
}
