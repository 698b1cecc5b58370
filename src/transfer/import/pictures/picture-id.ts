import { createHash } from 'node:crypto';
import { Types } from 'mongoose';
import { articleId } from '../articles/article-id.js';
import type { ImportedArticle } from '../articles/imported-article.js';

/** Number of bytes of an id that hold the time of creation. */
const TIME_BYTES = 4;

/**
 * The id of a picture of an article. It is derived from the article, the picture and its owner, so that a later run
 * recognises what an earlier one has stored. Its time is that of the article.
 *
 * @param key tells the picture from the other ones of the source
 */
export function pictureId(
  article: ImportedArticle,
  key: string,
  owner: Types.ObjectId,
): Types.ObjectId {
  const identity = JSON.stringify([article.identity, key, owner.toHexString()]);
  const bytes = createHash('sha256').update(`picture ${identity}`).digest().subarray(0, 12);
  bytes.set(articleId(article).id.subarray(0, TIME_BYTES));
  return new Types.ObjectId(bytes);
}
