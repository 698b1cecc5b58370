import { CacheSubject, pathsWithin } from '../common/cache-subject.js';
import { IS_PUBLIC } from './blog.schema.js';
import { PUBLIC_BLOG_FIELDS } from './views/public-blog.view.js';

/** The fields that public reads filter by or show. An update of other fields changes no cached value. */
const PUBLIC_FIELDS = [...PUBLIC_BLOG_FIELDS, ...Object.keys(IS_PUBLIC)];

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
