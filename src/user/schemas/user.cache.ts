import { CacheSubject, type CachedCollection } from '../../common/cache-subject.js';

const USERS: CachedCollection = { name: 'users', reported: {} };

/** A user's record: what they may do, and what views show of them. */
export const USER = new CacheSubject('user', USERS);

/** The name under which a user's blogs appear. */
export const USER_NAME = new CacheSubject('user name', USERS, {
  isChangedBy: ({ operation, paths }) => operation !== 'update' || paths.includes('name'),
});
