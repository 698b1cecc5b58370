import { CacheSubject } from '../../platform/caching/cache-subject.js';

/** The record of a session. A missing session is not cached, so inserts need not be reported. */
export const SESSION = new CacheSubject('session', {
  name: 'sessions',
  reported: { operationType: { $ne: 'insert' } },
});
