import type { KeyedPath, LinkedList } from './types.ts';

/** Lists whose `Link` header leads to the next page; the other lists have numbered pages. */
export const LINKED_LISTS: Readonly<Record<LinkedList, true>> = {
  '/admin/audit': true,
  '/blog/list/latest': true,
  '/blogs/author/id/{id}': true,
  '/blogs/latest': true,
  '/blogs/tag/{tag}': true,
  '/media': true,
  '/notices': true,
  '/tags': true,
};

/** Paths whose POST creates one record per `Idempotency-Key`. */
export const KEYED_PATHS: Readonly<Record<KeyedPath, true>> = {
  '/admin/apikeys': true,
  '/admin/invitations': true,
  '/admin/webhooks': true,
  '/auth/tokens': true,
  '/blog/author': true,
  '/blog/author/comments/id/{id}': true,
  '/blog/author/preview/id/{id}': true,
  '/blog/editor/comments/id/{id}': true,
  '/blog/editor/preview/id/{id}': true,
  '/contact': true,
  '/media': true,
};
