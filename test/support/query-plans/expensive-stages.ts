import type { mongo } from 'mongoose';

/** A stage whose cost grows with the collection, not with what the query returns. */
export interface ExpensiveStage {
  /** MongoDB's name of the stage. */
  readonly stage: string;
  readonly detail: string;
}

/** Fields to skip: copies of the query, rejected plans, and repetitions of the winning plan. */
const IGNORED_FIELDS: ReadonlySet<string> = new Set([
  'command',
  'parsedQuery',
  'rejectedPlans',
  'executionStages',
  'allPlansExecution',
  'slotBasedPlan',
  'serverInfo',
  // The statistics of a `$lookup` are in the fields next to this one.
  '$lookup',
]);

/** Strategies of an EQ_LOOKUP that scan the foreign collection. */
const SCANNING_JOINS: ReadonlySet<string> = new Set(['NestedLoopJoin', 'HashJoin']);

/**
 * Finds collection scans and sorts in memory: in the winning plan, in the plans of `$unionWith`, in the
 * statistics of `$lookup`, and among the stages of a pipeline.
 *
 * @param explanation the result of `explain` with `executionStats`
 */
export function expensiveStagesOf(explanation: unknown): ExpensiveStage[] {
  if (Array.isArray(explanation)) return explanation.flatMap(expensiveStagesOf);
  if (typeof explanation !== 'object' || explanation === null) return [];
  const node = explanation as mongo.Document;
  const parts = Object.entries(node).filter(([key]) => !IGNORED_FIELDS.has(key));
  return [...expensiveStagesAt(node), ...parts.flatMap(([, part]) => expensiveStagesOf(part))];
}

function expensiveStagesAt(node: mongo.Document): ExpensiveStage[] {
  const { stage, strategy, collectionScans, $sort: sort } = node;
  const found: ExpensiveStage[] = [];
  if (stage === 'COLLSCAN') found.push({ stage, detail: text(node['filter'] ?? {}) });
  if (stage === 'SORT') found.push({ stage, detail: text(node['sortPattern'] ?? {}) });
  if (sort !== undefined) found.push({ stage: '$sort', detail: text(sort) });
  if (Number(collectionScans ?? 0) > 0) {
    found.push({ stage: 'COLLSCAN', detail: `in ${text(node['$lookup'] ?? {})}` });
  }
  if (stage === 'EQ_LOOKUP' && SCANNING_JOINS.has(String(strategy))) {
    found.push({
      stage: 'COLLSCAN',
      detail: `${String(strategy)} of ${String(node['foreignCollection'])}`,
    });
  }
  return found;
}

function text(part: unknown): string {
  return JSON.stringify(part);
}
