import { describe, expect, it } from '@jest/globals';
import {
  authorCacheTag,
  authorListCacheTag,
  blogCacheTag,
  LISTS_CACHE_TAG,
  tagCacheTag,
} from './cache-tags.js';

const ID = '66f1a2b3c4d5e6f708192a3b';

describe('cache tags', () => {
  it('should differ for a blog, an author, an author list and a tag with the same id', () => {
    const authorTags = [authorCacheTag(ID), authorListCacheTag(ID)];
    const tags = [LISTS_CACHE_TAG, blogCacheTag(ID), ...authorTags, tagCacheTag(ID)];
    expect(new Set(tags).size).toBe(tags.length);
  });

  it.each(['a b', 'a,b', 'größe', '漢字', '😀', 'a\u0000b', '\ud800', '50%'])(
    'should make a header value of the tag %j',
    (key) => {
      expect(tagCacheTag(key)).toMatch(/^tag-[\w.!~*'()%-]+$/);
    },
  );

  it('should differ for two tags with similar keys', () => {
    expect(tagCacheTag('a b')).not.toBe(tagCacheTag('a%20b'));
  });
});
