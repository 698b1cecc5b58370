import { CacheSubject, pathsWithin } from '../../../platform/caching/cache-subject.js';

/**
 * The corrections of the records of lists. What transitions change is a change of their blogs as well, and folding it
 * into the records changes nothing that anybody reads.
 */
export const LIST_CORRECTIONS = new CacheSubject(
  'list corrections',
  {
    name: 'lists',
    reported: {
      $or: [
        { operationType: 'update', ...pathsWithin(['corrections']) },
        { operationType: { $nin: ['insert', 'update'] } },
      ],
    },
  },
  { scope: 'collection' },
);
