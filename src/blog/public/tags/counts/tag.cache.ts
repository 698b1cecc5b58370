import { CacheSubject } from '../../../../platform/caching/cache-subject.js';

/** All counts of tags: a list of tags depends on each of them. */
export const TAGS = new CacheSubject(
  'tags',
  { name: 'tags', reported: {} },
  { scope: 'collection' },
);
