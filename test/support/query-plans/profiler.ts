import type { mongo } from 'mongoose';
import { statementsOf, type Statement } from './statement.js';

/** The profiler's figures for one execution of a statement. */
export interface Execution {
  readonly statement: Statement;
  readonly keys: number;
  readonly documents: number;
  /** The number of documents that were returned, matched by an update, or deleted. */
  readonly returned: number;
  readonly hasSort: boolean;
}

/** The `appName` of servers, so that the profiler ignores commands of the tests themselves. */
export const SERVER_NAME = 'pressroom under test';

/** Selects the executions that may exceed a bound. Smaller ones are not recorded. */
const PROFILER_FILTER = {
  appName: SERVER_NAME,
  $or: [{ docsExamined: { $gt: 10 } }, { keysExamined: { $gt: 10 } }, { hasSortStage: true }],
};

/** At level 1 the profiler records what its filter matches. */
const PROFILER_LEVEL = 1;

/**
 * Switches MongoDB's profiler on, which also records executions in transactions and sub-plans.
 *
 * @returns the id of the mongod process; after a restart of mongod the id differs, and the profiler is off
 */
export async function switchProfilerOn(db: mongo.Db): Promise<string> {
  await db.command({ profile: PROFILER_LEVEL, filter: PROFILER_FILTER });
  return processIdOf(db);
}

/**
 * @param processId what `switchProfilerOn` returned
 * @returns null when a test has switched the profiler off; an empty list after a restart of mongod, or when the
 * database has been dropped
 */
export async function readExecutions(db: mongo.Db, processId: string): Promise<Execution[] | null> {
  if ((await processIdOf(db)) !== processId) return [];
  // The profiler's records were dropped with the database.
  if ((await db.listCollections({}, { nameOnly: true }).toArray()).length === 0) return [];
  const { was, filter } = (await db.command({ profile: -1 })) as { was: number; filter?: unknown };
  if (was !== PROFILER_LEVEL || filter === undefined) return null;
  const entries = await db.collection('system.profile').find().toArray();
  return entries.flatMap(executionOf);
}

async function processIdOf(db: mongo.Db): Promise<string> {
  const { topologyVersion } = await db.command({ hello: 1 });
  return String(topologyVersion.processId);
}

function executionOf(entry: mongo.Document): Execution[] {
  return statementsOf(commandOf(entry)).map((statement) => ({
    statement,
    keys: Number(entry['keysExamined'] ?? 0),
    documents: Number(entry['docsExamined'] ?? 0),
    returned: Number(entry['nreturned'] ?? entry['nMatched'] ?? entry['ndeleted'] ?? 0),
    hasSort: entry['hasSortStage'] === true,
  }));
}

/** For a write, the profiler records each statement separately, not the command that contained it. */
function commandOf({ op, ns, command, originatingCommand }: mongo.Document): mongo.Document {
  const collection = String(ns).slice(String(ns).indexOf('.') + 1);
  if (op === 'update') return { update: collection, updates: [command] };
  if (op === 'remove') return { delete: collection, deletes: [command] };
  return (originatingCommand ?? command) as mongo.Document;
}
