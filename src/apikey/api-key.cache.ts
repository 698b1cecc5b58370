import { CacheSubject } from '../platform/caching/cache-subject.js';

/** The record of an API key. */
export const API_KEY = new CacheSubject('api key', {
  name: 'api_keys',
  reported: {
    $or: [
      { operationType: { $ne: 'update' } },
      // An update of these two fields alone is not reported, because it does not affect whether the
      // key is valid.
      { paths: { $elemMatch: { $nin: ['lastUsedAt', 'updatedAt'] } } },
    ],
  },
});
