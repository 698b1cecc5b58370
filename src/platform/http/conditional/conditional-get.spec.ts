import { describe, expect, it } from '@jest/globals';
import { matchingTag } from './conditional-get.js';

describe('matchingTag', () => {
  const TAG = '"a-b_c"';

  it.each([
    '"a-b_c"',
    'W/"a-b_c"',
    '*',
    '"x","a-b_c" , "y"',
    'W/"x", W/"a-b_c"',
    '"x,y", "a-b_c"',
    '"", "a-b_c"',
  ])('should find the tag in %j', (header) => {
    expect(matchingTag(header, TAG, undefined)).toBe(TAG);
  });

  it.each(['', '"x"', 'a-b_c', '"a-b_c', '"A-B_C"', '"x,a-b_c"', '"*"', '*, "x"'])(
    'should not find the tag in %j',
    (header) => {
      expect(matchingTag(header, TAG, 'br, gzip')).toBeNull();
    },
  );

  it.each([
    ['"a-b_c-br"', 'br', '"a-b_c-br"'],
    ['"x", W/"a-b_c-gzip"', 'gzip, deflate, br', '"a-b_c-gzip"'],
    ['"a-b_c-br", "a-b_c-gzip"', 'gzip, br', '"a-b_c-br"'],
    ['"a-b_c-br", "a-b_c"', 'br', '"a-b_c"'],
  ])('should find in %j, with Accept-Encoding %j, the tag %s', (header, accepted, found) => {
    expect(matchingTag(header, TAG, accepted)).toBe(found);
  });

  it.each([undefined, '', 'gzip', 'br;q=0', 'identity', 'deflate'])(
    'should not find the tag of a coding that Accept-Encoding %j does not accept',
    (accepted) => {
      expect(matchingTag('"a-b_c-br"', TAG, accepted)).toBeNull();
    },
  );
});
