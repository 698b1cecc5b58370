import type { CachedCollection } from '../cache-subject.js';
import { HEARTBEATS } from './heartbeat.schema.js';

/**
 * Selects the change events that MongoDB sends to this process: those that a cached collection
 * lists as reported, the heartbeats of this process, and the drop or renaming of a collection or of
 * the database. An event holds the names of the changed fields, and no values but the count of a
 * heartbeat.
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
    // MongoDB applies the first `$match` to entries of the oplog, before it makes events of them.
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
    // An array that was only shortened is missing in the other lists.
    listOrEmpty('$updateDescription.truncatedArrays.field'),
  ],
};
