import { CacheSubject, type CachedCollection } from '../../platform/caching/cache-subject.js';

const USERS: CachedCollection = { name: 'users', reported: {} };

/** The record of a user, on which sessions and views depend. */
export const USER = new CacheSubject('user', USERS);

/** The name of a user, which the user's blogs show. */
export const USER_NAME = new CacheSubject('user name', USERS, {
  isChangedBy: ({ operation, paths }) => operation !== 'update' || paths.includes('name'),
});
