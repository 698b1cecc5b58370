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
  it('should differ for a blog, an author and a tag with the same name', () => {
    const ofAuthor = [authorCacheTag(ID), authorListCacheTag(ID)];
    const tags = [LISTS_CACHE_TAG, blogCacheTag(ID), ...ofAuthor, tagCacheTag(ID)];
    expect(new Set(tags).size).toBe(tags.length);
  });

  it.each(['a b', 'a,b', 'größe', '漢字', '😀', 'a\u0000b', '\ud800', '50%'])(
    'should make a header value of the tag %j',
    (key) => {
      expect(tagCacheTag(key)).toMatch(/^tag-[\w.!~*'()%-]+$/);
    },
  );

  it('should keep different tags apart', () => {
    expect(tagCacheTag('a b')).not.toBe(tagCacheTag('a%20b'));
  });
});
