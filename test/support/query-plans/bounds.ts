import type { mongo } from 'mongoose';
import type { Statement } from './statement.js';

/** The maximum that one execution may examine. */
export interface Most {
  readonly keys: number;
  readonly documents: number;
}

/** The bound of one kind of statement. */
export interface Bound {
  readonly what: string;
  readonly reason: string;
  appliesTo(statement: Statement): boolean;
  /** Stages that the plan may have although they are offences. */
  readonly stages: ReadonlySet<string>;
  most(returned: number, statement: Statement): Most;
}

/** Keys or documents that every execution may examine beyond its proportion. */
const A_LITTLE = 10;

function inProportion(returned: number): number {
  return 2 * returned + A_LITTLE;
}

/** Keys over all terms of a blog, and candidates that are fetched and scored. */
const SIMILAR_KEYS = 490;
const SIMILAR_FETCHED = 64;

const NONE: ReadonlySet<string> = new Set();

const DEFAULT: Bound = {
  what: 'everything else',
  reason: 'cost must grow with the answer, never with the collection',
  appliesTo: () => true,
  stages: NONE,
  most: (returned) => ({ keys: inProportion(returned), documents: inProportion(returned) }),
};

/** The first bound that applies is used. */
const BOUNDS: readonly Bound[] = [
  {
    what: 'candidates for similar blogs',
    reason: 'a share of keys for each tag and word, and no documents',
    appliesTo: (statement) => isOfBlogs(statement, '$group', 'ids'),
    stages: NONE,
    // MongoDB 6.0 counts the keys of `$unionWith` twice.
    most: () => ({ keys: 2 * SIMILAR_KEYS, documents: 0 }),
  },
  {
    what: 'similar',
    reason: 'it scores a bounded number of blogs, and sorts them by a score that no index holds',
    appliesTo: (statement) => isOfBlogs(statement, '$set', 'match'),
    // A SORT stage within the plan stays an offence: the blogs must be read by their ids.
    stages: new Set(['$sort']),
    most: () => ({ keys: inProportion(SIMILAR_FETCHED), documents: SIMILAR_FETCHED }),
  },
  {
    what: 'total',
    reason: 'it counts keys of an index, all of them, and no documents',
    appliesTo: ({ operation, command }) => operation === 'count' || isCount(command),
    stages: NONE,
    most: () => ({ keys: Infinity, documents: 0 }),
  },
  {
    what: 'page',
    reason: 'what is skipped is skipped among the keys of an index',
    appliesTo: ({ operation, command }) => operation === 'find' && skipOf(command) > 0,
    stages: NONE,
    most: (returned, { command }) => ({
      keys: skipOf(command) + inProportion(returned),
      documents: inProportion(returned),
    }),
  },
  {
    what: 'pages',
    reason: 'several pages at once, each of which skips among the keys of its index',
    appliesTo: (statement) => isOfBlogs(statement, '$project', 'page'),
    stages: NONE,
    most: (returned, { command }) => {
      const pages = pagesOf(command);
      const skipped = pages.reduce((sum, page) => sum + skippedBy(page), 0);
      const most = 2 * returned + Math.max(A_LITTLE, 2 * pages.length);
      // MongoDB 6.0 counts the keys of `$unionWith` twice.
      return { keys: 2 * skipped + most, documents: most };
    },
  },
  {
    what: 'batch',
    reason:
      'it asks for several records at once, and looking for one that is not there costs a key as well',
    appliesTo: ({ operation, command }) => operation === 'find' && askedFor(command) > 1,
    stages: NONE,
    most: (returned, { command }) => {
      const most = 2 * returned + Math.max(A_LITTLE, 2 * askedFor(command));
      return { keys: most, documents: most };
    },
  },
];

export function boundOf(statement: Statement): Bound {
  return BOUNDS.find((bound) => bound.appliesTo(statement)) ?? DEFAULT;
}

function skipOf({ skip }: mongo.Document): number {
  return Number(skip ?? 0);
}

/** The length of the longest `$in` list. */
function askedFor({ filter }: mongo.Document): number {
  const conditions = Object.values((filter ?? {}) as Readonly<Record<string, unknown>>);
  const lists = conditions.map((condition) => (condition as mongo.Document | null)?.['$in']);
  return Math.max(0, ...lists.map((list) => (Array.isArray(list) ? list.length : 0)));
}

function stagesOf({ pipeline }: mongo.Document): readonly mongo.Document[] {
  return (pipeline as readonly mongo.Document[] | undefined) ?? [];
}

/** The pipelines of a union: the command's own stages, and the pipeline of each `$unionWith`. */
function pagesOf(command: mongo.Document): readonly (readonly mongo.Document[])[] {
  const stages = stagesOf(command);
  const others = stages.flatMap(({ $unionWith: other }) => (other ? [stagesOf(other)] : []));
  return [stages, ...others];
}

function skippedBy(stages: readonly mongo.Document[]): number {
  return stages.reduce((sum, { $skip: skip }) => sum + Number(skip ?? 0), 0);
}

/** Whether it is an aggregation of blogs with a stage that computes this field. */
function isOfBlogs(
  { operation, collection, command }: Statement,
  stage: string,
  field: string,
): boolean {
  if (operation !== 'aggregate' || collection !== 'blogs') return false;
  return stagesOf(command).some(({ [stage]: value }) => value?.[field] !== undefined);
}

/** Whether the pipeline is that of `countDocuments`: a `$match` and a `$group` with one result. */
function isCount(command: mongo.Document): boolean {
  const [match, group, ...others] = stagesOf(command);
  return others.length === 0 && match?.['$match'] !== undefined && group?.['$group']?._id === 1;
}
