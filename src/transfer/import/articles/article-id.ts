import { createHash } from 'node:crypto';
import { Types } from 'mongoose';
import type { ImportedArticle } from './imported-article.js';

/**
 * Number of bytes of an id that hold the time of creation, as in MongoDB; the other bytes are a hash
 * of the identity.
 */
const TIME_BYTES = 4;
const TIME_MAX = 2 ** 32 - 1;

/**
 * The id of the blog of an article. It is derived from the article, so that a later run recognises
 * what an earlier run has imported, and concurrent runs import nothing twice.
 */
export function articleId({ identity, createdAt, publishedAt }: ImportedArticle): Types.ObjectId {
  const bytes = createHash('sha256').update(identity).digest().subarray(0, 12);
  const seconds = Math.floor((createdAt ?? publishedAt ?? new Date(0)).getTime() / 1_000);
  bytes.writeUInt32BE(Math.min(Math.max(seconds, 0), TIME_MAX));
  return new Types.ObjectId(bytes);
}

/**
 * Whether both ids are of one article. Only the identity counts: the dates may have been edited
 * between two runs.
 */
export function isSameArticle(one: Types.ObjectId, other: Types.ObjectId): boolean {
  return one.toHexString().slice(2 * TIME_BYTES) === other.toHexString().slice(2 * TIME_BYTES);
}
