import { CacheSubject } from '../common/cache-subject.js';

/** An API key as it is checked. */
export const API_KEY = new CacheSubject('api key', {
  name: 'api_keys',
  reported: {
    $or: [
      { operationType: { $ne: 'update' } },
      // The server notes each use by itself. That decides nothing.
      { paths: { $elemMatch: { $nin: ['lastUsedAt', 'updatedAt'] } } },
    ],
  },
});
