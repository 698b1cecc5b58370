import { CacheSubject, pathsWithin } from '../common/cache-subject.js';
import { IS_PUBLIC, type Blog } from './blog.schema.js';

/** The fields that public reads filter by or show. An update of other fields changes no cached value. */
const PUBLIC_FIELDS = [
  ...([
    'live',
    'formerSlugs',
    'text',
    'htmlVersion',
    'author',
    'score',
  ] as const satisfies (keyof Blog)[]),
  ...Object.keys(IS_PUBLIC),
];

/** A blog as readers see it. */
export const BLOG = new CacheSubject('blog', {
  name: 'blogs',
  reported: {
    $or: [
      // A new draft is not reported: no cached value can depend on it.
      { operationType: 'insert', 'fullDocument.live': { $ne: null } },
      { operationType: 'update', ...pathsWithin(PUBLIC_FIELDS) },
      { operationType: { $nin: ['insert', 'update'] } },
    ],
  },
});
