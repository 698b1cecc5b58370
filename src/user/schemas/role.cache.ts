import { CacheSubject, pathsWithin } from '../../common/cache-subject.js';

/** The four roles. Every session depends on all of them, so a change of one concerns everybody. */
export const ROLE = new CacheSubject(
  'role',
  {
    name: 'roles',
    reported: {
      // `guard` is counted up by the server itself, and decides nothing.
      $or: [{ operationType: { $ne: 'update' } }, pathsWithin(['code', 'status'])],
    },
  },
  { scope: 'collection' },
);
