import type { mongo } from 'mongoose';
import { shapeOf } from '../checks/command-shape.js';

/** One query that MongoDB plans: a read, or one of the statements of a write. */
export interface Statement {
  /** Such as `find`, `aggregate`, `update`. */
  readonly operation: string;
  readonly collection: string;
  /** A command that does this and nothing else, and can be explained. */
  readonly command: mongo.Document;
}

/** Where the commands with several statements keep them. */
const LISTS: Readonly<Record<string, string>> = { update: 'updates', delete: 'deletes' };

/** Other names for a command; the first is what this server's driver sends. */
const ALIASES: Readonly<Record<string, string>> = { findandmodify: 'findAndModify' };

/** By operation, what a plan depends on; of a write's statement, its filter stands in a list. */
const PLANNED_PARTS: Readonly<Record<string, readonly string[]>> = {
  find: ['filter', 'sort', 'projection', 'skip', 'limit', 'hint', 'collation', 'min', 'max'],
  aggregate: ['pipeline', 'hint', 'collation'],
  count: ['query', 'skip', 'limit', 'hint', 'collation'],
  distinct: ['key', 'query', 'hint', 'collation'],
  findAndModify: ['query', 'sort', 'remove', 'fields', 'hint', 'collation'],
  update: ['q', 'multi', 'hint', 'collation'],
  delete: ['q', 'limit', 'hint', 'collation'],
};

/** What explain refuses inside, or what belongs to the connection rather than to the query. */
const NOT_EXPLAINED: ReadonlySet<string> = new Set([
  'lsid',
  'txnNumber',
  'autocommit',
  'startTransaction',
  'readConcern',
  'writeConcern',
  '$db',
  '$clusterTime',
  '$readPreference',
  'maxTimeMS',
]);

/**
 * The statements of a command, as the driver sends it or as MongoDB keeps it.
 *
 * @returns none for a command that needs no plan, such as `insert`, and for a change stream, which
 * reads the oplog and cannot be explained
 */
export function statementsOf(command: mongo.Document): Statement[] {
  const [name = ''] = Object.keys(command);
  const operation = ALIASES[name] ?? name;
  const collection: unknown = command[name];
  if (!PLANNED_PARTS[operation] || typeof collection !== 'string') return [];
  if (operation === 'aggregate' && isChangeStream(command)) return [];
  const plain = Object.fromEntries(
    Object.entries(command).filter(([key]) => !NOT_EXPLAINED.has(key)),
  );
  const list = LISTS[operation];
  if (list === undefined) return [{ operation, collection, command: plain }];
  const statements = plain[list] as readonly mongo.Document[];
  return statements.map((statement) => ({
    operation,
    collection,
    command: { ...plain, [list]: [statement] },
  }));
}

/** What tells plans apart: the statement with its values reduced to types, without what it writes. */
export function planShapeOf({ operation, collection, command }: Statement): string {
  const list = LISTS[operation];
  const source = list === undefined ? command : ((command[list] as mongo.Document[])[0] ?? {});
  const parts = (PLANNED_PARTS[operation] ?? [])
    // As MongoDB does, take what is false as left out.
    .filter((part) => source[part] !== undefined && source[part] !== false)
    .map((part) => [part, source[part]] as const);
  return shapeOf({
    name: operation,
    collection,
    endpoint: null,
    command: Object.fromEntries(parts),
  });
}

function isChangeStream({ pipeline }: mongo.Document): boolean {
  return (pipeline as readonly mongo.Document[] | undefined)?.[0]?.['$changeStream'] !== undefined;
}
