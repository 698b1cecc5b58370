import { CacheSubject } from '../../../platform/caching/cache-subject.js';

/** The times of the changes of all lists: a list changes together with the one of all articles. */
export const LIST_CHANGES = new CacheSubject(
  'list changes',
  { name: 'list_changes', reported: {} },
  { scope: 'collection' },
);
