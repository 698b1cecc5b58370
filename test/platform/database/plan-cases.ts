import type { mongo } from 'mongoose';

/** A query of a test. Of the fields in `items` and `others`, `indexed` has an index, and `plain` has none. */
type Query = (db: mongo.Db) => Promise<unknown>;

/** Number of records in `items` and in `others`. */
export const RECORDS = 100;

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const lookUp = (fields: object): mongo.Document[] => [
  { $match: { indexed: 1 } },
  { $lookup: { from: 'others', localField: 'indexed', as: 'joined', ...fields } },
];
const unionWith = (match: object): mongo.Document[] => [
  { $match: { indexed: 1 } },
  { $unionWith: { coll: 'others', pipeline: [{ $match: match }] } },
];

/** A covered query: answered from the keys of an index. */
const REVISIONS = [{ $match: { rev: { $gte: 0 } } }, { $project: { _id: 0, rev: 1 } }];

const SET_SEEN = { $set: { seen: true } };
const ALL = { $gte: 0 };

const items = (db: mongo.Db): mongo.Collection => db.collection('items');
const find =
  (filter: object = {}, options: mongo.FindOptions = {}): Query =>
  (db) =>
    items(db).find(filter, options).toArray();
const aggregate =
  (pipeline: mongo.Document[], collection = 'items'): Query =>
  (db) =>
    db.collection(collection).aggregate(pipeline).toArray();

/** $lookup with a pipeline, without an index. */
export const SCANNING_LOOKUP = aggregate(
  lookUp({ foreignField: 'plain', pipeline: [{ $project: { plain: 1 } }] }),
);

/** Queries whose plan is wrong, however many records are stored. */
export const WRONG_PLANS: readonly (readonly [label: string, found: RegExp, query: Query])[] = [
  ['a scan', /^COLLSCAN/, find({ plain: 1 })],
  ['a sort in memory', /^SORT /, find({ indexed: 1 }, { sort: { plain: 1 } })],
  [
    'a sort after grouping',
    /^\$sort /,
    aggregate([{ $match: { indexed: 1 } }, { $group: { _id: '$plain' } }, { $sort: { _id: 1 } }]),
  ],
  ['a scan in $unionWith', /^COLLSCAN/, aggregate(unionWith({ plain: 1 }))],
  ['a scan in $lookup by equality', /^COLLSCAN/, aggregate(lookUp({ foreignField: 'plain' }))],
  ['a scan in $lookup with a pipeline', /^COLLSCAN in /, SCANNING_LOOKUP],
  [
    'an update without an index',
    /^COLLSCAN/,
    (db) => items(db).updateMany({ plain: -1 }, SET_SEEN),
  ],
  [
    'the second of two updates',
    /^COLLSCAN/,
    (db) =>
      items(db).bulkWrite([
        { updateOne: { filter: { indexed: 1 }, update: SET_SEEN } },
        { updateOne: { filter: { plain: -1 }, update: SET_SEEN } },
      ]),
  ],
  ['a deletion without an index', /^COLLSCAN/, (db) => items(db).deleteMany({ plain: -1 })],
  [
    'a find-and-modify without an index',
    /^COLLSCAN/,
    (db) => items(db).findOneAndUpdate({ plain: -1 }, SET_SEEN),
  ],
  ['a count without an index', /^COLLSCAN/, (db) => items(db).countDocuments({ plain: 1 })],
  ['distinct values', /^COLLSCAN/, (db) => items(db).distinct('plain', {})],
];

/** Queries for which MongoDB examines too many keys or documents. */
export const EXCESSIVE_QUERIES: readonly (readonly [label: string, found: RegExp, query: Query])[] =
  [
    [
      'an index that is not selective',
      /^100 keys and 100 documents examined for 10$/m,
      find({ indexed: ALL, plain: 1 }),
    ],
    [
      'index keys that do not match',
      /^(99|100) keys and 0 documents examined for 1$/m,
      find(
        { first: ALL, second: 1 },
        { hint: 'first_1_second_1', projection: { _id: 0, second: 1 }, limit: 1, skip: 0 },
      ),
    ],
    [
      'a page that fetches the records that it skips',
      /^55 keys and 55 documents examined for 5$/m,
      find({ indexed: ALL, seen: { $ne: true } }, { sort: { indexed: 1 }, skip: 50, limit: 5 }),
    ],
    [
      'a total that fetches documents',
      /^100 keys and 100 documents examined for 1$/m,
      (db) => items(db).countDocuments({ indexed: ALL, plain: ALL }),
    ],
    ['a scan in $lookup', /documents examined for 1$/m, SCANNING_LOOKUP],
    [
      'an update that examines many',
      /^100 keys and 100 documents examined for 0$/m,
      (db) => items(db).updateMany({ indexed: ALL, plain: -1 }, SET_SEEN),
    ],
    [
      'candidates for similar blogs that are fetched',
      /600 documents examined for 1$/m,
      aggregate(
        [{ $match: { rev: ALL } }, { $group: { _id: '$rev', ids: { $push: '$_id' } } }],
        'blogs',
      ),
    ],
    [
      'more keys for similar blogs than the bound allows',
      /^1[0-9]{3} keys and 0 documents examined for 1$/m,
      aggregate(
        [
          ...REVISIONS,
          { $unionWith: { coll: 'blogs', pipeline: REVISIONS } },
          { $group: { _id: '$rev', ids: { $push: '$rev' } } },
        ],
        'blogs',
      ),
    ],
    [
      'more blogs to score than the bound allows',
      /100 documents examined for 100$/m,
      aggregate(
        [{ $match: { rev: ALL } }, { $limit: 100 }, { $set: { similarity: '$slugs' } }],
        'blogs',
      ),
    ],
  ];

export const ALLOWED_QUERIES: readonly (readonly [label: string, query: Query])[] = [
  ['a read that examines and returns many records', find({ indexed: ALL }, { batchSize: 30 })],
  ['a deep page by an index', find({ indexed: ALL }, { sort: { indexed: 1 }, skip: 80, limit: 5 })],
  [
    'the keys of several ranges merged in order',
    find({ first: { $in: [1, 2] } }, { sort: { second: 1 } }),
  ],
  [
    'a batch of values that no record has',
    find({ indexed: { $in: upTo(64).map((number) => -number) }, plain: 0 }),
  ],
  [
    'a batch whose records do not match the rest of the filter',
    find({ indexed: { $in: upTo(64) }, plain: -1 }),
  ],
  ['a total of keys', (db) => items(db).countDocuments({ indexed: ALL })],
  ['a join by an index', aggregate(lookUp({ foreignField: 'indexed' }))],
  ['a union by an index', aggregate(unionWith({ indexed: 1 }))],
  [
    'writes by an index',
    async (db) => {
      await items(db).updateMany({ indexed: -1 }, SET_SEEN);
      await items(db).findOneAndDelete({ indexed: -1 });
      await items(db).deleteMany({ indexed: { $lt: 0 } });
      await db.collection('others').insertOne({ indexed: -1 });
    },
  ],
  [
    'writes of a batch of which no record matches',
    async (db) => {
      const batch = { indexed: { $in: upTo(64) } };
      await items(db).updateMany({ ...batch, plain: -1 }, SET_SEEN);
      await items(db).deleteMany({ ...batch, plain: -1 });
    },
  ],
  [
    'a change stream',
    async (db) => {
      const stream = db.watch([], { maxAwaitTimeMS: 10 });
      await stream.tryNext();
      await stream.close();
    },
  ],
];
