import type { Connection, IndexDefinition, IndexOptions, mongo } from 'mongoose';
import { isDuplicateKey } from './is-duplicate-key.js';
import type { IndexKeys } from './with-hint.js';

interface DeclaredIndex {
  /** Such as `blogs.slugs_1`. */
  readonly name: string;
  readonly collection: mongo.Collection;
  readonly keys: IndexDefinition;
  readonly options: IndexOptions;
}

/**
 * The indexes at the foot of every schema.
 *
 * @param connection whose models declare them
 * @param asked the connection through which they are read and built
 */
function declaredIndexes(connection: Connection, asked: Connection): DeclaredIndex[] {
  return Object.values(connection.models).flatMap((model) =>
    model.schema.indexes().map(([keys, options]) => ({
      name: `${model.collection.collectionName}.${indexName(keys)}`,
      collection: asked.collection(model.collection.collectionName),
      keys,
      options: withoutMongooseOptions(options),
    })),
  );
}

/**
 * Names of the declared indexes that the database lacks, or has with other options.
 *
 * @param background the connection through which the database is asked
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
 * Creates what is missing and replaces what has the same keys with other options.
 *
 * @param background where a build may take as long as it needs
 * @returns by name, those that the records do not allow, such as two with one address, and why
 */
export async function ensureIndexes(
  connection: Connection,
  background: Connection,
): Promise<Map<string, string>> {
  const missing = new Set(await missingIndexes(connection, background));
  const refused = new Map<string, string>();
  const declared = declaredIndexes(connection, background);
  for (const index of declared.filter(({ name }) => missing.has(name))) {
    const { name, collection, keys, options } = index;
    const stored = await storedIndexes(collection);
    const outdated = stored.find((candidate) => hasSameKeys(candidate, keys));
    if (outdated) await collection.dropIndex(String(outdated['name']));
    try {
      await collection.createIndex(keys as mongo.IndexSpecification, options as never);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      refused.set(name, (error as Error).message);
    }
  }
  return refused;
}

/**
 * Drops indexes that earlier versions declared.
 *
 * @param old by collection, their keys
 * @returns a line for each that was there; with `dryRun` nothing is dropped
 */
export async function dropOldIndexes(
  connection: Connection,
  old: Readonly<Record<string, readonly IndexKeys[]>>,
  { dryRun }: { readonly dryRun: boolean },
): Promise<string[]> {
  const dropped: string[] = [];
  for (const [name, keySets] of Object.entries(old)) {
    const collection = connection.collection(name);
    for (const index of await storedIndexes(collection)) {
      if (!keySets.some((keys) => hasSameKeys(index, keys))) continue;
      const indexName = String(index['name']);
      if (!dryRun) await collection.dropIndex(indexName);
      dropped.push(`index ${name}.${indexName} dropped: only earlier versions use it`);
    }
  }
  return dropped;
}

async function storedIndexes(collection: Pick<mongo.Collection, 'indexes'>): Promise<Stored[]> {
  try {
    return await collection.indexes();
  } catch (error) {
    // The collection does not exist yet.
    if (error instanceof Error && 'code' in error && error.code === 26) return [];
    throw error;
  }
}

type Stored = Record<string, unknown> & { readonly key: Record<string, unknown> };

function isSameIndex(stored: Stored, { keys, options }: DeclaredIndex): boolean {
  return (
    hasSameKeys(stored, keys) &&
    (stored['unique'] === true) === (options.unique === true) &&
    stored['expireAfterSeconds'] === options.expireAfterSeconds &&
    stored['sparse'] !== true &&
    isSame(stored['partialFilterExpression'], options.partialFilterExpression)
  );
}

/** The order of the keys counts. */
function hasSameKeys(stored: Stored, keys: IndexDefinition | IndexKeys): boolean {
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

/** `background` is Mongoose's addition and long without effect. */
function withoutMongooseOptions({ background: _, ...options }: IndexOptions): IndexOptions {
  return options;
}
