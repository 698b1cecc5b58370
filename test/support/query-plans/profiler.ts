import type { mongo } from 'mongoose';
import { statementsOf, type Statement } from './statement.js';

/** An execution that examined more than a few, in MongoDB's own figures. */
export interface Execution {
  readonly statement: Statement;
  readonly keys: number;
  readonly documents: number;
  /** Returned, matched by an update, or deleted. */
  readonly returned: number;
  readonly hasSort: boolean;
}

/** By it MongoDB tells the servers' commands from those of the tests. */
export const SERVER_NAME = 'pressroom under test';

/** What every bound allows is not worth keeping. */
const WORTH_A_LOOK = {
  appName: SERVER_NAME,
  $or: [{ docsExamined: { $gt: 10 } }, { keysExamined: { $gt: 10 } }, { hasSortStage: true }],
};

/** Level 1 keeps what the filter accepts. */
const LEVEL = 1;

/**
 * Lets MongoDB itself keep account of every execution, in transactions and sub-plans as well.
 *
 * @returns which mongod does so; one that is started anew has forgotten it
 */
export async function switchProfilerOn(db: mongo.Db): Promise<string> {
  await db.command({ profile: LEVEL, filter: WORTH_A_LOOK });
  return processOf(db);
}

/**
 * @param keeper as switchProfilerOn answered
 * @returns null when a test has switched the profiler off
 */
export async function readExecutions(db: mongo.Db, keeper: string): Promise<Execution[] | null> {
  if ((await processOf(db)) !== keeper) return [];
  // Another server on the same database, which was its own, has judged all and dropped it.
  if ((await db.listCollections({}, { nameOnly: true }).toArray()).length === 0) return [];
  const { was, filter } = (await db.command({ profile: -1 })) as { was: number; filter?: unknown };
  if (was !== LEVEL || filter === undefined) return null;
  const entries = await db.collection('system.profile').find().toArray();
  return entries.flatMap(executionOf);
}

async function processOf(db: mongo.Db): Promise<string> {
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

/** A write's statements are kept one by one, without the command around them. */
function commandOf({ op, ns, command, originatingCommand }: mongo.Document): mongo.Document {
  const collection = String(ns).slice(String(ns).indexOf('.') + 1);
  if (op === 'update') return { update: collection, updates: [command] };
  if (op === 'remove') return { delete: collection, deletes: [command] };
  return (originatingCommand ?? command) as mongo.Document;
}
