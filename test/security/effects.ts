import type { mongo } from 'mongoose';
import mongoose from 'mongoose';
import { recordCollections, SHARED_COLLECTIONS } from '../support/mongo/mongo.js';
import { API_KEY } from '../support/start-app.js';

/** Every document of a database, by collection and id. */
export type Dump = ReadonlyMap<string, ReadonlyMap<string, mongo.Document>>;

export async function dump(db: mongo.Db): Promise<Dump> {
  const names = (await recordCollections(db)).sort();
  const contents = await Promise.all(
    names.map(async (name) => {
      const documents = await db.collection(name).find().toArray();
      return [
        name,
        new Map(documents.map((document) => [String(document._id), document])),
      ] as const;
    }),
  );
  return new Map(contents);
}

/** What a request did to one document. */
export interface Effect {
  /** `insert messages: _id, type …`, with the paths that are new or different. */
  readonly change: string;
  /** By path: the new value without what differs from request to request, or the increment of a number. */
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * What has happened between two dumps, in alphabetical order.
 *
 * @param names by id: a known id becomes its name, any other becomes 'an id'
 */
export function effectsBetween(
  before: Dump,
  after: Dump,
  names: ReadonlyMap<string, string>,
): Effect[] {
  const collections = [...new Set([...before.keys(), ...after.keys()])];
  const effects = collections.flatMap((collection) => {
    const old = before.get(collection) ?? new Map<string, mongo.Document>();
    const now = after.get(collection) ?? new Map<string, mongo.Document>();
    const ids = [...new Set([...old.keys(), ...now.keys()])];
    const found = ids.flatMap((id) => effectOn(collection, old.get(id), now.get(id), names));
    return found.length > 0 && SHARED_COLLECTIONS.includes(collection)
      ? [{ change: `store ${collection}`, values: {} }]
      : found;
  });
  return effects.sort((one, other) => (one.change < other.change ? -1 : 1));
}

function effectOn(
  collection: string,
  old: mongo.Document | undefined,
  now: mongo.Document | undefined,
  names: ReadonlyMap<string, string>,
): Effect[] {
  if (!now) return [{ change: `delete ${collection}`, values: {} }];
  const before = new Map(old ? fieldsByPath(old) : []);
  const after = new Map(fieldsByPath(now));
  const paths = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => JSON.stringify(before.get(path)) !== JSON.stringify(after.get(path)),
  );
  const changed = paths.filter((path) => !isLastUse(now, path)).sort();
  if (changed.length === 0) return [];
  const values = changed.map((path) => {
    const value = after.get(path);
    // An update may increment a field that did not exist.
    const isCount = old !== undefined && typeof value === 'number';
    return [
      path,
      isCount ? `by ${value - Number(before.get(path) ?? 0)}` : mask(path, value, names),
    ];
  });
  const change = `${old ? 'update' : 'insert'} ${collection}: ${changed.join(', ')}`;
  return [{ change, values: Object.fromEntries(values) as Record<string, unknown> }];
}

/** Whether the path is the last use of the tests' API key. Any request may store it, once a minute. */
function isLastUse({ key }: mongo.Document, path: string): boolean {
  return key === API_KEY && path === 'lastUsedAt';
}

/** Fields by path; a list counts as one value. */
function fieldsByPath(document: mongo.Document, prefix = ''): [string, unknown][] {
  return Object.entries(document).flatMap(([key, value]: [string, unknown]) =>
    isPlainObject(value) ? fieldsByPath(value, `${prefix}${key}.`) : [[`${prefix}${key}`, value]],
  );
}

function isPlainObject(value: unknown): value is mongo.Document {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}

/** A value without what differs from request to request: ids, times, random endings. */
function mask(path: string, value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) {
    // Lists of words and of spellings contain the random endings of texts.
    return /(words|spellings)$/i.test(path)
      ? 'words'
      : value.map((item) => mask(path, item, names));
  }
  if (isPlainObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [key, mask(`${path}.${key}`, part, names)]),
    );
  }
  if (/(^|\.)(secret|contents)\.(data|iv|tag)$/.test(path)) return 'a sealed secret';
  if (value instanceof Date) return 'a time';
  if (value instanceof mongoose.mongo.Binary) return 'bytes';
  if (value instanceof mongoose.Types.ObjectId) return names.get(value.toHexString()) ?? 'an id';
  return typeof value === 'string' ? withoutRandomParts(value) : value;
}

function withoutRandomParts(text: string): string {
  return text
    .replaceAll(/-\d+-[0-9a-f]{6}/g, '-N')
    .replace(/^([+-]author:)[0-9a-f]{24}$/, '$1an id')
    .replace(/^[0-9a-f]{24}$/, 'an id')
    .replace(/^[0-9a-f]{64}$/, 'a digest')
    .replace(/^pr_\w{5}$/, 'a prefix')
    .replace(/^[\w-]{43}$/, 'a hash')
    .replace(/^\$2b\$05\$[./\w]{53}$/, 'a bcrypt hash');
}
