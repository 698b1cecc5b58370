import {
  CacheSubject,
  pathsWithin,
  type CachedCollection,
} from '../../platform/caching/cache-subject.js';
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

const BLOGS: CachedCollection = {
  name: 'blogs',
  reported: {
    $or: [
      // A new draft is not reported: no cached value can depend on it.
      { operationType: 'insert', 'fullDocument.live': { $ne: null } },
      { operationType: 'update', ...pathsWithin(PUBLIC_FIELDS) },
      { operationType: { $nin: ['insert', 'update'] } },
    ],
  },
};

/** A blog as readers see it. */
export const BLOG = new CacheSubject('blog', BLOGS);

/**
 * The flags of a public blog, when somebody edits them directly in the database. Such an edit does
 * not change the revision number, which every transition increments.
 */
export const EDITED_FLAGS = new CacheSubject('edited flags of a blog', BLOGS, {
  isChangedBy: ({ operation, paths }) =>
    operation === 'update' &&
    !paths.includes('rev') &&
    paths.some((path) => Object.hasOwn(IS_PUBLIC, path)),
});
