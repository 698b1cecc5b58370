import { CacheSubject, pathsWithin } from '../common/cache-subject.js';
import type { Blog } from './blog.schema.js';

/** What readers see of a blog, or see it by. Changes of its working copy are not reported. */
const PUBLIC_FIELDS: readonly (keyof Blog)[] = [
  'live',
  'text',
  'published',
  'status',
  'author',
  'score',
  'htmlVersion',
];

/** A blog as readers see it. */
export const BLOG = new CacheSubject('blog', {
  name: 'blogs',
  reported: {
    $or: [
      // A new draft is in no list, and no answer was made from it.
      { operationType: 'insert', 'fullDocument.live': { $ne: null } },
      { operationType: 'update', ...pathsWithin(PUBLIC_FIELDS) },
      { operationType: { $nin: ['insert', 'update'] } },
    ],
  },
});
