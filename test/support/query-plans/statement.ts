import type { mongo } from 'mongoose';
import { shapeOf } from '../checks/command-shape.js';

/** One query that MongoDB plans: a read, or one of the statements of a write. */
export interface Statement {
  /** Such as `find`, `aggregate`, `update`. */
  readonly operation: string;
  readonly collection: string;
  /** A command with this statement only, for `explain`. */
  readonly command: mongo.Document;
}

/** The field that contains the statements of a write command. */
const STATEMENT_FIELDS: Readonly<Record<string, string>> = { update: 'updates', delete: 'deletes' };

/** Aliases of commands, each with the name that PLANNED_PARTS has. */
const ALIASES: Readonly<Record<string, string>> = { findandmodify: 'findAndModify' };

/** The parts of a statement that its plan depends on, by operation. */
const PLANNED_PARTS: Readonly<Record<string, readonly string[]>> = {
  find: ['filter', 'sort', 'projection', 'skip', 'limit', 'hint', 'collation', 'min', 'max'],
  aggregate: ['pipeline', 'hint', 'collation'],
  count: ['query', 'skip', 'limit', 'hint', 'collation'],
  distinct: ['key', 'query', 'hint', 'collation'],
  findAndModify: ['query', 'sort', 'remove', 'fields', 'hint', 'collation'],
  update: ['q', 'multi', 'hint', 'collation'],
  delete: ['q', 'limit', 'hint', 'collation'],
};

/** Fields that `explain` refuses, or that belong to the session and not to the query. */
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
 * The statements of a command.
 *
 * @param command as the driver sends it, or as the profiler records it
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
  const statementField = STATEMENT_FIELDS[operation];
  if (statementField === undefined) return [{ operation, collection, command: plain }];
  const statements = plain[statementField] as readonly mongo.Document[];
  return statements.map((statement) => ({
    operation,
    collection,
    command: { ...plain, [statementField]: [statement] },
  }));
}

/** The query shape of a statement: the parts that its plan depends on, with values reduced to types. */
export function planShapeOf({ operation, collection, command }: Statement): string {
  const statementField = STATEMENT_FIELDS[operation];
  const source =
    statementField === undefined
      ? command
      : ((command[statementField] as mongo.Document[])[0] ?? {});
  const parts = (PLANNED_PARTS[operation] ?? [])
    // To MongoDB, a part that is false means the same as a missing one.
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
