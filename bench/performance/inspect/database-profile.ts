import mongoose, { type mongo } from 'mongoose';

const { MongoClient } = mongoose.mongo;
const PROFILE_BYTES = 64 * 1024 ** 2;
const OFF = 0;
const EVERY_OPERATION = 2;

/** What the database says of an operation. */
export interface Operation {
  readonly keysExamined?: number;
  readonly docsExamined?: number;
  readonly command: {
    readonly aggregate?: string;
    readonly pipeline?: readonly mongo.Document[];
    readonly hint?: mongo.Hint;
  };
}

/**
 * What the database itself says about the work that some requests have caused.
 *
 * @param work sends the requests
 * @returns each operation on the articles
 */
export async function profiled(mongoUri: string, work: () => Promise<unknown>) {
  return withDatabase(mongoUri, async (db) => {
    try {
      await db.command({ profile: OFF });
      await db.dropCollection('system.profile');
      await db.createCollection('system.profile', { capped: true, size: PROFILE_BYTES });
      await db.command({ profile: EVERY_OPERATION });
      await work();
    } finally {
      await db.command({ profile: OFF });
    }
    const articles = { ns: `${db.databaseName}.blogs` };
    const operations = db.collection('system.profile').find<Operation>(articles);
    return await operations.sort({ ts: 1 }).toArray();
  });
}

/** The most that any of the operations says of a number. */
export function most(
  operations: readonly Operation[],
  field: 'keysExamined' | 'docsExamined',
): number {
  return Math.max(...operations.map((operation) => operation[field] ?? 0));
}

/**
 * What each pipeline looks at, its `$unionWith` included. The profiler cannot tell: it counts what
 * comes in by a union twice (MongoDB 6.0; the storage engine reads each once).
 */
export async function examined(
  mongoUri: string,
  pipelines: readonly Operation[],
): Promise<{ keys: number; documents: number }[]> {
  return withDatabase(mongoUri, async (db) => {
    const counts = [];
    for (const { command } of pipelines) {
      const { pipeline = [], hint } = command;
      const plan = await db
        .collection('blogs')
        .aggregate([...pipeline], hint === undefined ? {} : { hint })
        .explain('executionStats');
      counts.push({
        keys: sumOf(plan, 'totalKeysExamined'),
        documents: sumOf(plan, 'totalDocsExamined'),
      });
    }
    return counts;
  });
}

async function withDatabase<Result>(
  mongoUri: string,
  work: (db: mongo.Db) => Promise<Result>,
): Promise<Result> {
  const client = await MongoClient.connect(mongoUri);
  try {
    return await work(client.db());
  } finally {
    await client.close();
  }
}

/** The sum of a number wherever it is in a tree. */
function sumOf(tree: unknown, field: string): number {
  if (tree === null || typeof tree !== 'object') return 0;
  return Object.entries(tree).reduce(
    (sum, [name, inner]: [string, unknown]) =>
      sum + (name === field ? Number(inner) : sumOf(inner, field)),
    0,
  );
}
