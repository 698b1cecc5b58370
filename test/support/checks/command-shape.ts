import type { RecordedCommand } from './command-recorder.js';

/** Fields that the driver adds to a command. They do not depend on the request. */
const DRIVER_FIELDS: ReadonlySet<string> = new Set([
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

/** Commands that contain no value of a request. */
const TRANSACTION_COMMANDS: ReadonlySet<string> = new Set([
  'commitTransaction',
  'abortTransaction',
]);

/** Fields that name another collection, in $lookup, $unionWith and similar stages. */
const COLLECTION_FIELDS: ReadonlySet<string> = new Set(['from', 'coll', 'into']);

/** In an expression, MongoDB evaluates a text that begins with `$`. In a value it does not. */
type Context = 'expression' | 'value';

/**
 * A command with its values reduced to their BSON types: the command, the collection, and the
 * operators and field paths in alphabetical order. Equal items of a list count once, so that the
 * number of tags or terms makes no difference. An empty list has the shape of a list of strings.
 */
export function shapeOf({ name, collection, command }: RecordedCommand): string {
  if (TRANSACTION_COMMANDS.has(name)) return name;
  const parts = Object.entries(command).filter(([key]) => key !== name && !DRIVER_FIELDS.has(key));
  return `${name} ${collection ?? '(none)'} ${reduce(Object.fromEntries(parts), 'value')}`;
}

function reduce(value: unknown, context: Context): string {
  if (Array.isArray(value)) return reduceList(value, context);
  if (typeof value === 'string') {
    return context === 'expression' && value.startsWith('$') ? value : 'string';
  }
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  if (value instanceof Date) return 'date';
  if (value instanceof RegExp) return 'regex';
  if (value instanceof Uint8Array) return 'bytes';
  if ('_bsontype' in value && !Object.hasOwn(value, '_bsontype')) return String(value._bsontype);
  const entries =
    value instanceof Map ? [...(value as Map<string, unknown>)] : Object.entries(value);
  const parts = entries.map(([key, part]) => `${key}: ${reducePart(key, part, context)}`);
  return `{${parts.sort().join(', ')}}`;
}

function reducePart(key: string, part: unknown, context: Context): string {
  if (typeof part === 'string' && COLLECTION_FIELDS.has(key)) return part;
  return reduce(part, contextOf(key, part, context));
}

/** Pipelines are expressions, except for the values of `$literal` and `$match`. */
function contextOf(key: string, part: unknown, context: Context): Context {
  if (key === '$literal' || key === '$match') return 'value';
  const isPipeline =
    key === 'pipeline' || ((key === 'update' || key === 'u') && Array.isArray(part));
  return isPipeline || key === '$expr' ? 'expression' : context;
}

function reduceList(list: readonly unknown[], context: Context): string {
  const items = new Set(list.map((item) => reduce(item, context)));
  return `[${items.size === 0 ? 'string' : [...items].join(', ')}]`;
}
