import type { mongo } from 'mongoose';

/** A query on the fields `indexed`, which has an index, and `plain`, which has none. */
type Query = (db: mongo.Db) => Promise<unknown>;

/** Number of records in `things` and in `others`. */
export const RECORDS = 100;

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const lookUp = (rest: object): mongo.Document[] => [
  { $match: { indexed: 1 } },
  { $lookup: { from: 'others', localField: 'indexed', as: 'joined', ...rest } },
];
const unionWith = (match: object): mongo.Document[] => [
  { $match: { indexed: 1 } },
  { $unionWith: { coll: 'others', pipeline: [{ $match: match }] } },
];

/** A covered query: answered from the keys of an index. */
const REVISIONS = [{ $match: { rev: { $gte: 0 } } }, { $project: { _id: 0, rev: 1 } }];

/** Queries with a wrong plan, whatever is stored. */
export const WRONG_PLANS: readonly (readonly [what: string, found: RegExp, query: Query])[] = [
  ['a scan', /^COLLSCAN/, (db) => db.collection('things').find({ plain: 1 }).toArray()],
  ['a scan of everything', /^COLLSCAN/, (db) => db.collection('things').find().toArray()],
  [
    'a scan for one',
    /^COLLSCAN/,
    (db) => db.collection('things').findOne({ plain: { $ne: false } }),
  ],
  [
    'a sort in memory',
    /^SORT /,
    (db) => db.collection('things').find({ indexed: 1 }).sort({ plain: 1 }).toArray(),
  ],
  [
    'a sort after grouping',
    /^\$sort /,
    (db) =>
      db
        .collection('things')
        .aggregate([
          { $match: { indexed: 1 } },
          { $group: { _id: '$plain' } },
          { $sort: { _id: 1 } },
        ])
        .toArray(),
  ],
  [
    'a scan in $unionWith',
    /^COLLSCAN/,
    (db) =>
      db
        .collection('things')
        .aggregate(unionWith({ plain: 1 }))
        .toArray(),
  ],
  [
    'a scan in $lookup by equality',
    /^COLLSCAN/,
    (db) =>
      db
        .collection('things')
        .aggregate(lookUp({ foreignField: 'plain' }))
        .toArray(),
  ],
  [
    'a scan in $lookup with a pipeline',
    /^COLLSCAN in /,
    (db) =>
      db
        .collection('things')
        .aggregate(lookUp({ foreignField: 'plain', pipeline: [{ $project: { plain: 1 } }] }))
        .toArray(),
  ],
  [
    'an update without an index',
    /^COLLSCAN/,
    (db) => db.collection('things').updateMany({ plain: -1 }, { $set: { seen: true } }),
  ],
  [
    'the second of two updates',
    /^COLLSCAN/,
    (db) =>
      db
        .collection('things')
        .bulkWrite([
          { updateOne: { filter: { indexed: 1 }, update: { $set: { seen: true } } } },
          { updateOne: { filter: { plain: -1 }, update: { $set: { seen: true } } } },
        ]),
  ],
  [
    'a deletion without an index',
    /^COLLSCAN/,
    (db) => db.collection('things').deleteMany({ plain: -1 }),
  ],
  [
    'a find-and-modify without an index',
    /^COLLSCAN/,
    (db) => db.collection('things').findOneAndUpdate({ plain: -1 }, { $set: { seen: true } }),
  ],
  [
    'a count without an index',
    /^COLLSCAN/,
    (db) => db.collection('things').countDocuments({ plain: 1 }),
  ],
  ['distinct values', /^COLLSCAN/, (db) => db.collection('things').distinct('plain', {})],
];

/** Queries for which MongoDB examines too many keys or documents. */
export const WASTEFUL: readonly (readonly [what: string, found: RegExp, query: Query])[] = [
  [
    'an index that is not selective',
    /^100 keys and 100 documents examined for 10$/m,
    (db) =>
      db
        .collection('things')
        .find({ indexed: { $gte: 0 }, plain: 1 })
        .toArray(),
  ],
  [
    'keys that are walked in vain',
    /^(99|100) keys and 0 documents examined for 1$/m,
    (db) =>
      db
        .collection('things')
        .find({ first: { $gte: 0 }, second: 1 })
        .hint('first_1_second_1')
        .project({ _id: 0, second: 1 })
        .limit(1)
        .skip(0)
        .toArray(),
  ],
  [
    'a batch that looks at more than it asks for',
    /^100 keys and 100 documents examined for 12$/m,
    (db) =>
      db
        .collection('things')
        .find({ indexed: { $gte: 0 }, first: { $in: upTo(12) } })
        .hint('indexed_1')
        .toArray(),
  ],
  [
    'a page that fetches what it skips',
    /^55 keys and 55 documents examined for 5$/m,
    (db) =>
      db
        .collection('things')
        .find({ indexed: { $gte: 0 }, seen: { $ne: true } })
        .sort({ indexed: 1 })
        .skip(50)
        .limit(5)
        .toArray(),
  ],
  [
    'a total that fetches',
    /^100 keys and 100 documents examined for 1$/m,
    (db) => db.collection('things').countDocuments({ indexed: { $gte: 0 }, plain: { $gte: 0 } }),
  ],
  [
    'a scan in $lookup',
    /documents examined for 1$/m,
    (db) =>
      db
        .collection('things')
        .aggregate(lookUp({ foreignField: 'plain', pipeline: [{ $project: { plain: 1 } }] }))
        .toArray(),
  ],
  [
    'an update that looks at many',
    /^100 keys and 100 documents examined for 0$/m,
    (db) =>
      db
        .collection('things')
        .updateMany({ indexed: { $gte: 0 }, plain: -1 }, { $set: { seen: true } }),
  ],
  [
    'a deletion that looks at many',
    /^100 keys and 100 documents examined for 0$/m,
    (db) => db.collection('things').deleteMany({ indexed: { $gte: 0 }, plain: -1 }),
  ],
  [
    'candidates for similar blogs that are fetched',
    /600 documents examined for 1$/m,
    (db) =>
      db
        .collection('blogs')
        .aggregate([
          { $match: { rev: { $gte: 0 } } },
          { $group: { _id: '$rev', ids: { $push: '$_id' } } },
        ])
        .toArray(),
  ],
  [
    'more keys for similar blogs than they may have',
    /^1[0-9]{3} keys and 0 documents examined for 1$/m,
    (db) =>
      db
        .collection('blogs')
        .aggregate([
          ...REVISIONS,
          { $unionWith: { coll: 'blogs', pipeline: REVISIONS } },
          { $group: { _id: '$rev', ids: { $push: '$rev' } } },
        ])
        .toArray(),
  ],
  [
    'more blogs to score than there may be',
    /100 documents examined for 100$/m,
    (db) =>
      db
        .collection('blogs')
        .aggregate([
          { $match: { rev: { $gte: 0 } } },
          { $limit: 100 },
          { $set: { match: '$slugs' } },
        ])
        .toArray(),
  ],
];

export const RIGHT: readonly (readonly [what: string, query: Query])[] = [
  ['a read by an index', (db) => db.collection('things').find({ indexed: 1 }).toArray()],
  [
    'a read of many that returns many',
    (db) =>
      db
        .collection('things')
        .find({ indexed: { $gte: 0 } })
        .batchSize(30)
        .toArray(),
  ],
  [
    'a deep page by an index',
    (db) =>
      db
        .collection('things')
        .find({ indexed: { $gte: 0 } })
        .sort({ indexed: 1 })
        .skip(80)
        .limit(5)
        .toArray(),
  ],
  [
    'the keys of several ranges merged in order',
    (db) =>
      db
        .collection('things')
        .find({ first: { $in: [1, 2] } })
        .sort({ second: 1 })
        .toArray(),
  ],
  [
    'a batch of what is not there',
    (db) =>
      db
        .collection('things')
        .find({ indexed: { $in: upTo(64).map((number) => -number) }, plain: 0 })
        .toArray(),
  ],
  [
    'a batch of what is there and not wanted',
    (db) =>
      db
        .collection('things')
        .find({ indexed: { $in: upTo(64) }, plain: -1 })
        .toArray(),
  ],
  ['a total of keys', (db) => db.collection('things').countDocuments({ indexed: { $gte: 0 } })],
  [
    'a join by an index',
    (db) =>
      db
        .collection('things')
        .aggregate(lookUp({ foreignField: 'indexed' }))
        .toArray(),
  ],
  [
    'a union by an index',
    (db) =>
      db
        .collection('things')
        .aggregate(unionWith({ indexed: 1 }))
        .toArray(),
  ],
  [
    'writes by an index',
    async (db) => {
      await db.collection('things').updateMany({ indexed: -1 }, { $set: { seen: true } });
      await db.collection('things').findOneAndDelete({ indexed: -1 });
      await db.collection('things').deleteMany({ indexed: { $lt: 0 } });
      await db.collection('others').insertOne({ indexed: -1 });
    },
  ],
  [
    'a change stream',
    async (db) => {
      const stream = db.watch();
      await stream.tryNext();
      await stream.close();
    },
  ],
];
