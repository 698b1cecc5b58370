import { CacheSubject, pathsWithin } from '../../platform/caching/cache-subject.js';

/** The four roles. Every cached session depends on all of them. */
export const ROLE = new CacheSubject(
  'role',
  {
    name: 'roles',
    reported: {
      // An update of `guard` is not reported: the server writes it itself, and it does not affect
      // what a user may do.
      $or: [{ operationType: { $ne: 'update' } }, pathsWithin(['code', 'status'])],
    },
  },
  { scope: 'collection' },
);
