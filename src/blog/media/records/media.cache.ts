import { CacheSubject } from '../../../platform/caching/cache-subject.js';

/** The record of a picture, on which its public address depends. */
export const MEDIA = new CacheSubject('media', {
  name: 'media',
  // An insert is not reported: no cached value can depend on a new record.
  reported: { operationType: { $ne: 'insert' } },
});
