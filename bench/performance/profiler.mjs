import mongoose from 'mongoose';

const { MongoClient } = mongoose.mongo;
const PROFILE_BYTES = 64 * 1024 ** 2;
const OFF = 0;
const EVERY_OPERATION = 2;

/**
 * What the database itself says about the work that some requests have caused.
 *
 * @param work sends the requests
 * @returns of each operation on the articles: `keysExamined`, `docsExamined`, `nreturned`, `millis`,
 *   `planSummary`, `command`
 */
export async function profiled(mongoUri, work) {
  const client = await MongoClient.connect(mongoUri);
  const db = client.db();
  try {
    await db.command({ profile: OFF });
    await db.dropCollection('system.profile');
    await db.createCollection('system.profile', { capped: true, size: PROFILE_BYTES });
    await db.command({ profile: EVERY_OPERATION });
    await work();
    await db.command({ profile: OFF });
    const articles = { ns: `${db.databaseName}.blogs` };
    return await db.collection('system.profile').find(articles).sort({ ts: 1 }).toArray();
  } finally {
    await db.command({ profile: OFF });
    await client.close();
  }
}

/** The most that any of the operations says of a number. */
export function most(operations, field) {
  return Math.max(...operations.map((operation) => operation[field] ?? 0));
}

/**
 * What each pipeline looks at, its `$unionWith` included. The profiler cannot tell: it counts what
 * comes in by a union twice (MongoDB 6.0; the storage engine reads each once).
 *
 * @param pipelines as the profiler has them
 * @returns of each: `keys`, `documents`
 */
export async function examined(mongoUri, pipelines) {
  const client = await MongoClient.connect(mongoUri);
  try {
    const blogs = client.db().collection('blogs');
    const counts = [];
    for (const { command } of pipelines) {
      const { pipeline, hint } = command;
      const plan = await blogs.aggregate(pipeline, { hint }).explain('executionStats');
      counts.push({
        keys: sumOf(plan, 'totalKeysExamined'),
        documents: sumOf(plan, 'totalDocsExamined'),
      });
    }
    return counts;
  } finally {
    await client.close();
  }
}

/** The sum of a number wherever it is in a tree. */
function sumOf(value, field) {
  if (value === null || typeof value !== 'object') return 0;
  return Object.entries(value).reduce(
    (sum, [name, inner]) => sum + (name === field ? inner : sumOf(inner, field)),
    0,
  );
}
