import { CacheSubject } from '../common/cache-subject.js';

/** A session. One that does not exist is never cached, so nothing depends on an insert. */
export const SESSION = new CacheSubject('session', {
  name: 'sessions',
  reported: { operationType: { $ne: 'insert' } },
});
