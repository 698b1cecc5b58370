import { CacheSubject } from '../../platform/caching/cache-subject.js';

/** The record of a personal access token. A missing record is not cached, so inserts need not be reported. */
export const PERSONAL_TOKEN = new CacheSubject('personal access token', {
  name: 'access_tokens',
  reported: {
    operationType: { $ne: 'insert' },
    // An update of this field alone does not affect whether the token is valid.
    $or: [{ operationType: { $ne: 'update' } }, { paths: { $elemMatch: { $ne: 'lastUsedAt' } } }],
  },
});
