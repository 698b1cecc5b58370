import type { RecordedCommand } from './command-recorder.js';

/** What the driver adds to every command: it says nothing about the request. */
const ENVELOPE: ReadonlySet<string> = new Set([
  'lsid',
  '$db',
  '$clusterTime',
  '$readPreference',
  'txnNumber',
  'writeConcern',
  'readConcern',
  'autocommit',
  'startTransaction',
  'getMore',
]);

/** Commands that carry nothing of a request. */
const TRANSACTION: ReadonlySet<string> = new Set(['commitTransaction', 'abortTransaction']);

/** Names of other collections, in $lookup, $unionWith and the like. */
const COLLECTION_FIELDS: ReadonlySet<string> = new Set(['from', 'coll', 'into']);

/** Where a text that begins with $ is an expression: MongoDB evaluates it. */
type Place = 'expression' | 'value';

/**
 * A command with its values reduced to their BSON types: the command, the collection, and the
 * operators and field paths in alphabetical order. Repetitions in a list count once, so that the
 * number of tags or terms makes no difference; an empty list looks like one of texts, because nothing in
 * it can act.
 */
export function shapeOf({ name, collection, command }: RecordedCommand): string {
  if (TRANSACTION.has(name)) return name;
  const parts = Object.entries(command).filter(([key]) => key !== name && !ENVELOPE.has(key));
  return `${name} ${collection ?? '(none)'} ${reduce(Object.fromEntries(parts), 'value')}`;
}

function reduce(value: unknown, place: Place): string {
  if (Array.isArray(value)) return reduceList(value, place);
  if (typeof value === 'string') {
    return place === 'expression' && value.startsWith('$') ? value : 'string';
  }
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  if (value instanceof Date) return 'date';
  if (value instanceof RegExp) return 'regex';
  if ('_bsontype' in value && !Object.hasOwn(value, '_bsontype')) return String(value._bsontype);
  const entries =
    value instanceof Map ? [...(value as Map<string, unknown>)] : Object.entries(value);
  const parts = entries.map(([key, part]) => `${key}: ${reducePart(key, part, place)}`);
  return `{${parts.sort().join(', ')}}`;
}

function reducePart(key: string, part: unknown, place: Place): string {
  if (typeof part === 'string' && COLLECTION_FIELDS.has(key)) return part;
  return reduce(part, placeOf(key, part, place));
}

/** Pipelines are expressions, save what stands in `$literal` and plain filters. */
function placeOf(key: string, part: unknown, place: Place): Place {
  if (key === '$literal' || key === '$match') return 'value';
  const isPipeline =
    key === 'pipeline' || ((key === 'update' || key === 'u') && Array.isArray(part));
  return isPipeline || key === '$expr' ? 'expression' : place;
}

function reduceList(list: readonly unknown[], place: Place): string {
  const items = new Set(list.map((item) => reduce(item, place)));
  return `[${items.size === 0 ? 'string' : [...items].join(', ')}]`;
}
