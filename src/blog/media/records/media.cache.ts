import type { Media } from './media.schema.js';
import { CacheSubject, pathsWithin } from '../../../platform/caching/cache-subject.js';

/** The fields by which a picture is served. */
const SERVED = ['file', 'name', 'format', 'width', 'createdAt'] as const satisfies (keyof Media)[];

/** The record of a picture, on which its public address depends. */
export const MEDIA = new CacheSubject('media', {
  name: 'media',
  reported: {
    $or: [
      { operationType: 'update', ...pathsWithin(SERVED) },
      // An insert is not reported: no cached value can depend on a new record.
      { operationType: { $nin: ['insert', 'update'] } },
    ],
  },
});
