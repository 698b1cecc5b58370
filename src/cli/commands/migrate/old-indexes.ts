import type { IndexKeys } from '../../../platform/database/query-hints.js';

/**
 * Keys of indexes that earlier versions declared and this version does not use, by collection. They
 * stay until an operator drops them, because processes of an earlier version may still use them.
 */
export const OLD_INDEXES: Readonly<Record<string, readonly IndexKeys[]>> = {
  blog_comments: [{ blog: 1, _id: 1 }],
  blogs: [
    { 'live.at': -1, _id: -1 },
    { 'live.tagKeys': 1, 'live.at': -1, _id: -1 },
    { 'live.titleWords': 1, 'live.at': -1, _id: -1 },
  ],
};
