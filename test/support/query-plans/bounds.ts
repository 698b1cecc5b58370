import type { mongo } from 'mongoose';
import type { Statement } from './statement.js';

/** The maximum number of index keys and documents that one execution may examine. */
export interface MaxExamined {
  readonly keys: number;
  readonly documents: number;
}

/** The bound of one kind of statement. */
export interface Bound {
  readonly name: string;
  readonly reason: string;
  appliesTo(statement: Statement): boolean;
  /** Stages that the plan may have although they are expensive. */
  readonly allowedStages: ReadonlySet<string>;
  maxExamined(returned: number, statement: Statement): MaxExamined;
}

/** Keys or documents that every execution may examine beyond twice the number that it returns. */
const BASE_ALLOWANCE = 10;

function maxForReturned(returned: number): number {
  return 2 * returned + BASE_ALLOWANCE;
}

/** The most index keys that are read for all terms of a blog together. */
const MAX_SIMILAR_KEYS = 490;
/** The most candidates that are fetched and scored. */
const MAX_SIMILAR_DOCUMENTS = 64;

const NO_STAGES: ReadonlySet<string> = new Set();

const DEFAULT: Bound = {
  name: 'everything else',
  reason: 'it may examine twice what it returns, and a few more, however large the collection is',
  appliesTo: () => true,
  allowedStages: NO_STAGES,
  maxExamined: (returned) => ({
    keys: maxForReturned(returned),
    documents: maxForReturned(returned),
  }),
};

/** The first bound that applies is used. */
const BOUNDS: readonly Bound[] = [
  {
    name: 'candidates for similar blogs',
    reason: 'it may examine a fixed number of index keys, and no documents',
    appliesTo: (statement) => isBlogAggregation(statement, '$group', 'ids'),
    allowedStages: NO_STAGES,
    // MongoDB 6.0 counts the keys of `$unionWith` twice.
    maxExamined: () => ({ keys: 2 * MAX_SIMILAR_KEYS, documents: 0 }),
  },
  {
    name: 'scores of similar blogs',
    reason: 'it may fetch a fixed number of blogs, and sort them by a score that no index has',
    appliesTo: (statement) => isBlogAggregation(statement, '$set', 'similarity'),
    // A SORT stage within the plan stays forbidden: the blogs must be read by their ids.
    allowedStages: new Set(['$sort']),
    maxExamined: () => ({
      keys: maxForReturned(MAX_SIMILAR_DOCUMENTS),
      documents: MAX_SIMILAR_DOCUMENTS,
    }),
  },
  {
    name: 'whether GridFS is empty',
    reason:
      'the driver reads one document of any, once, to know whether it has to make the indexes',
    appliesTo: ({ collection, command: { filter, limit } }) =>
      collection.endsWith('.files') && limit === 1 && Object.keys(filter ?? {}).length === 0,
    allowedStages: new Set(['COLLSCAN']),
    maxExamined: () => ({ keys: 0, documents: 1 }),
  },
  {
    name: 'count',
    reason: 'it may examine every key of an index, and no documents',
    appliesTo: ({ operation, command }) => operation === 'count' || isCount(command),
    allowedStages: NO_STAGES,
    maxExamined: () => ({ keys: Infinity, documents: 0 }),
  },
  {
    name: 'what pictures take',
    reason: 'it may examine every key of an index, and no documents, while an admin waits',
    appliesTo: ({ operation, collection }) => operation === 'aggregate' && collection === 'media',
    allowedStages: NO_STAGES,
    maxExamined: () => ({ keys: Infinity, documents: 0 }),
  },
  {
    name: 'page with skip',
    reason: 'it may examine the index key of each record that it skips, but not its document',
    appliesTo: ({ operation, command }) => operation === 'find' && skipOf(command) > 0,
    allowedStages: NO_STAGES,
    maxExamined: (returned, { command }) => ({
      keys: skipOf(command) + maxForReturned(returned),
      documents: maxForReturned(returned),
    }),
  },
  {
    name: 'several pages in one aggregation',
    reason:
      'each page may examine the index key of each record that it skips, but not its document',
    appliesTo: (statement) => isBlogAggregation(statement, '$project', 'page'),
    allowedStages: NO_STAGES,
    maxExamined: (returned, { command }) => {
      const pages = pipelinesOf(command);
      const skipped = pages.reduce((sum, page) => sum + skippedBy(page), 0);
      const max = 2 * returned + Math.max(BASE_ALLOWANCE, 2 * pages.length);
      // MongoDB 6.0 counts the keys of `$unionWith` twice.
      return { keys: 2 * skipped + max, documents: max };
    },
  },
  {
    name: 'candidates of a search',
    reason:
      'it may examine, for each word, two keys per article that may be a candidate, and no documents',
    appliesTo: ({ operation, collection, command }) =>
      operation === 'find' &&
      collection === 'blogs' &&
      filterOf(command)['live.words'] !== undefined,
    allowedStages: NO_STAGES,
    maxExamined: (_returned, { command }) => {
      const { 'live.words': words, _id: ids } = filterOf(command);
      const maxArticles = Math.max(Number(command['limit']), lengthOf(ids));
      return { keys: maxForReturned(maxArticles) * lengthOf(words), documents: 0 };
    },
  },
  {
    name: 'blogs of a deleted account that are not cleaned up',
    reason: 'a job reads all blogs of the account, also those that are cleaned up already',
    appliesTo: ({ operation, collection, command }) => {
      const { author, $or: [, isPurging] = [] } = filterOf(command) as mongo.Document;
      return operation === 'find' && collection === 'blogs' && author && isPurging?.purging;
    },
    allowedStages: NO_STAGES,
    maxExamined: () => ({ keys: Infinity, documents: Infinity }),
  },
  {
    name: 'batch of several values ($in)',
    reason:
      'it may examine two more keys and documents for each value, because a missing record costs a key too',
    appliesTo: (statement) => longestInList(statement) > 1,
    allowedStages: NO_STAGES,
    // A record that another process deletes meanwhile may be examined and not returned.
    maxExamined: (returned, statement) => {
      const max = 2 * returned + Math.max(BASE_ALLOWANCE, 2 * longestInList(statement));
      return { keys: max, documents: max };
    },
  },
];

export function boundOf(statement: Statement): Bound {
  return BOUNDS.find((bound) => bound.appliesTo(statement)) ?? DEFAULT;
}

function skipOf({ skip }: mongo.Document): number {
  return Number(skip ?? 0);
}

function filterOf({ filter }: mongo.Document): Readonly<Record<string, unknown>> {
  return (filter ?? {}) as Readonly<Record<string, unknown>>;
}

/** The number of values that a condition of a filter allows. */
function lengthOf(condition: unknown): number {
  const list = (condition as mongo.Document | null | undefined)?.['$in'];
  return Array.isArray(list) ? list.length : 1;
}

/** The length of the longest `$in` list in the filter of a `find`, a `distinct`, an `update` or a `delete`. */
function longestInList({ operation, command }: Statement): number {
  const filter =
    operation === 'find' ? command['filter'] : (command['query'] ?? writeOf(command)?.['q']);
  const conditions = Object.values((filter ?? {}) as Readonly<Record<string, unknown>>);
  const lists = conditions.map((condition) => (condition as mongo.Document | null)?.['$in']);
  return Math.max(0, ...lists.map((list) => (Array.isArray(list) ? list.length : 0)));
}

/** The one write of a statement, if it is an `update` or a `delete`. */
function writeOf({ updates, deletes }: mongo.Document): mongo.Document | undefined {
  return ((updates ?? deletes) as readonly mongo.Document[] | undefined)?.[0];
}

function stagesOf({ pipeline }: mongo.Document): readonly mongo.Document[] {
  return (pipeline as readonly mongo.Document[] | undefined) ?? [];
}

/** The pipelines of a union: the command's own stages, and the pipeline of each `$unionWith`. */
function pipelinesOf(command: mongo.Document): readonly (readonly mongo.Document[])[] {
  const stages = stagesOf(command);
  const others = stages.flatMap(({ $unionWith: other }) => (other ? [stagesOf(other)] : []));
  return [stages, ...others];
}

function skippedBy(stages: readonly mongo.Document[]): number {
  return stages.reduce((sum, { $skip: skip }) => sum + Number(skip ?? 0), 0);
}

/** Whether it is an aggregation of blogs with a stage that computes this field. */
function isBlogAggregation(
  { operation, collection, command }: Statement,
  stage: string,
  field: string,
): boolean {
  if (operation !== 'aggregate' || collection !== 'blogs') return false;
  return stagesOf(command).some(({ [stage]: value }) => value?.[field] !== undefined);
}

/** Whether the pipeline is that of `countDocuments`: a `$match` and a `$group` with one result. */
function isCount(command: mongo.Document): boolean {
  const [match, count, ...others] = stagesOf(command);
  const isCounted = count?.['$group']?._id === 1 || count?.['$count'] !== undefined;
  return others.length === 0 && match?.['$match'] !== undefined && isCounted;
}
