import type { CachedCollection } from '../cache-subject.js';
import { HEARTBEATS } from './heartbeat.schema.js';

/**
 * Makes the pipeline that selects the change events that MongoDB sends to this process: the events that the
 * `reported` filter of a cached collection matches, the heartbeats of this process, the drop or renaming of
 * any collection, and the drop of the database. An event contains the names of the changed fields, but
 * no values, except the count of a heartbeat.
 *
 * @param owner the `_id` of this process's heartbeat record
 */
export function changeStreamPipeline(
  owner: string,
  collections: readonly CachedCollection[],
): object[] {
  const ownHeartbeats = { 'ns.coll': HEARTBEATS, 'documentKey._id': owner };
  const invalidations = {
    operationType: { $in: ['drop', 'rename', 'dropDatabase', 'invalidate'] },
  };
  const names = collections.map(({ name }) => name);
  const reported = collections.map((collection) => ({
    $and: [{ 'ns.coll': collection.name }, collection.reported],
  }));
  return [
    // MongoDB applies the first `$match` to entries of the oplog, before it turns them into events.
    { $match: { $or: [{ 'ns.coll': { $in: names } }, ownHeartbeats, invalidations] } },
    { $set: { paths: CHANGED_PATHS } },
    { $match: { $or: [...reported, ownHeartbeats, invalidations] } },
    {
      $project: {
        operationType: 1,
        'ns.coll': 1,
        documentKey: 1,
        clusterTime: 1,
        paths: 1,
        heartbeat: { $ifNull: ['$updateDescription.updatedFields.count', '$fullDocument.count'] },
      },
    },
  ];
}

const listOrEmpty = (path: string): object => ({ $ifNull: [path, []] });

/** The paths that an update has set, removed or shortened. */
const CHANGED_PATHS = {
  $concatArrays: [
    {
      $map: {
        input: { $objectToArray: { $ifNull: ['$updateDescription.updatedFields', {}] } },
        in: '$$this.k',
      },
    },
    listOrEmpty('$updateDescription.removedFields'),
    // An array that was only shortened is in neither of the lists above.
    listOrEmpty('$updateDescription.truncatedArrays.field'),
  ],
};
