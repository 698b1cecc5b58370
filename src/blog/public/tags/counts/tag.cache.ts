import { CacheSubject } from '../../../../platform/caching/cache-subject.js';

/** All counts of tags. A list of tags depends on all of them. */
export const TAGS = new CacheSubject(
  'tags',
  { name: 'tags', reported: {} },
  { scope: 'collection' },
);
