import { isDeepStrictEqual } from 'node:util';
import { mongo, type Types } from 'mongoose';
import { batchesOf } from '../../batches.js';
import { isOnlyDuplicateKeys } from '../is-duplicate-key.js';
import type { MigrationOptions } from './migration.js';
import type { RecordLine, ReportBuilder } from './report-builder.js';

/** Number of records per batch. If each record has two texts of 100 kB, a batch has about 20 MB. */
const BATCH = 100;

/** Number of attempts for records that change concurrently or that a unique index refuses. */
const ROUNDS = 3;

/** Largest operation that MongoDB takes, in bytes: it names the fields as they are and as they will be. */
const UPDATE_MAX = 16 * 1024 * 1024;

/** A record that any version, or goserve, may have written: only its `_id` is certain. */
export type StoredRecord = Readonly<Record<string, unknown>> & { readonly _id: Types.ObjectId };

/** The changes to make to a record. */
export interface RecordPlan {
  /** Fields with their new values. The record needs no change if `set` and `unset` are empty. */
  readonly set: Readonly<Record<string, unknown>>;
  readonly unset: readonly string[];
  /** Kinds of change, which the report counts. */
  readonly kinds: readonly string[];
  /** Changes that the report shows in one line each. */
  readonly lines: readonly RecordLine[];
  /** What the operator has to resolve. */
  readonly unresolved: readonly RecordLine[];
}

/** Plans the update of a record. The function is pure, and plans no change for a record that is up to date. */
export type Planner = (record: StoredRecord) => RecordPlan;

export interface UpdateOptions {
  readonly dryRun: boolean;
  /** The records to read; default: all. */
  readonly filter?: mongo.Filter<mongo.Document>;
  /** Every field that the plan reads or writes. */
  readonly fields: readonly string[];
  readonly report: ReportBuilder;
  readonly beforeWrite: MigrationOptions['beforeWrite'];
  /** Reads what the planner needs to know about all records, and returns the planner. Called before each round. */
  readonly prepare: () => Promise<Planner>;
}

type Update = StoredRecord & { readonly plan: RecordPlan };

/**
 * Updates a collection in batches, in the order of `_id`. The filter of each update contains the
 * fields as they were read (optimistic locking), so a concurrent change is never overwritten. Records that
 * changed concurrently, and records that a unique index refused, are planned again in another round.
 */
export async function updateInRounds(
  collection: mongo.Collection,
  options: UpdateOptions,
): Promise<void> {
  const { report, prepare, fields, filter } = options;
  let unfinishedIds: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    report.clearUnresolved();
    unfinishedIds = [];
    const planOf = await prepare();
    for await (const batch of batchesOf(readRecords(collection, fields, filter), BATCH)) {
      unfinishedIds.push(...(await updateBatch(collection, batch, planOf, options)));
    }
    if (unfinishedIds.length === 0) return;
  }
  for (const id of unfinishedIds) {
    const kind =
      'it changed while it was migrated, or a unique index refuses what it should become';
    report.addUnresolved({ kind, line: `${report.noun} ${id}: ${kind}; migrate again` });
  }
}

/** The fields and values of the target that differ from the stored values. */
export function differences(
  record: StoredRecord,
  target: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(target).filter(([field, value]) => !isDeepStrictEqual(record[field], value)),
  );
}

/** Streams the records, reduced to these fields and `_id`, in the order of `_id`. */
export function readRecords(
  collection: mongo.Collection,
  fields: readonly string[],
  filter: mongo.Filter<mongo.Document> = {},
): AsyncIterable<StoredRecord> {
  return collection
    .find<StoredRecord>(filter, { projection: projectionOf(fields), batchSize: BATCH })
    .sort({ _id: 1 });
}

/** @returns the ids of the records that could not be updated */
async function updateBatch(
  collection: mongo.Collection,
  records: readonly StoredRecord[],
  planOf: Planner,
  { dryRun, fields, report, beforeWrite }: UpdateOptions,
): Promise<string[]> {
  const plans = records.map((record) => ({ record, plan: planOf(record) }));
  for (const line of plans.flatMap((planned) => planned.plan.unresolved)) {
    report.addUnresolved(line);
  }
  const changes = plans
    .filter((planned) => isChange(planned.plan))
    .map((planned) => ({ ...planned.record, plan: planned.plan }));
  const updates = changes.filter((update) => sizeOf(update, fields) <= UPDATE_MAX);
  for (const { _id } of changes.filter((update) => !updates.includes(update))) {
    const kind = 'it is too large to be migrated';
    const line = `${report.noun} ${String(_id)}: ${kind}; shorten its fields in the database, and migrate again`;
    report.addUnresolved({ kind, line });
  }
  if (updates.length === 0) return [];
  beforeWrite?.();
  const isDone = dryRun || (await write(collection, updates, fields));
  const unfinishedIds = isDone
    ? new Set<string>()
    : await findUnfinished(collection, updates, fields, planOf);
  for (const update of updates.filter(({ _id }) => !unfinishedIds.has(String(_id)))) {
    for (const kind of update.plan.kinds) report.count(kind);
    for (const line of update.plan.lines) report.addChanged(line);
  }
  return [...unfinishedIds];
}

/** @returns whether every update was made */
async function write(
  collection: mongo.Collection,
  updates: readonly Update[],
  fields: readonly string[],
): Promise<boolean> {
  const operations = updates.map((update) => ({ updateOne: operationOf(update, fields) }));
  try {
    const { matchedCount } = await collection.bulkWrite(operations, { ordered: false });
    return matchedCount === updates.length;
  } catch (error) {
    if (isOnlyDuplicateKeys(error)) return false;
    throw error;
  }
}

function operationOf({ plan: { set, unset }, ...record }: Update, fields: readonly string[]) {
  return {
    filter: { _id: record._id, ...unchangedFilter(record, fields) },
    update: {
      ...(Object.keys(set).length > 0 ? { $set: set } : {}),
      ...(unset.length > 0 ? { $unset: Object.fromEntries(unset.map((field) => [field, 1])) } : {}),
    },
  };
}

/** The size of the operation that makes the update, in bytes. */
function sizeOf(update: Update, fields: readonly string[]): number {
  return mongo.BSON.calculateObjectSize(operationOf(update, fields));
}

function unchangedFilter(record: StoredRecord, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    fields.map((field) => {
      const value = record[field];
      return [field, value === undefined ? { $exists: false } : { $eq: value }];
    }),
  );
}

/**
 * The ids of the records that still need a change. The records are read again, because a bulk write reports
 * how many updates were made but not which.
 */
async function findUnfinished(
  collection: mongo.Collection,
  updates: readonly Update[],
  fields: readonly string[],
  planOf: Planner,
): Promise<Set<string>> {
  const records = await collection
    .find<StoredRecord>(
      { _id: { $in: updates.map(({ _id }) => _id) } },
      { projection: projectionOf(fields) },
    )
    .toArray();
  return new Set(
    records.filter((record) => isChange(planOf(record))).map(({ _id }) => String(_id)),
  );
}

function isChange({ set, unset }: RecordPlan): boolean {
  return Object.keys(set).length > 0 || unset.length > 0;
}

function projectionOf(fields: readonly string[]): Record<string, 1> {
  return Object.fromEntries(fields.map((field) => [field, 1]));
}
