import { describe, expect, it } from '@jest/globals';
import { matchesTag } from './conditional-get.js';

describe('matchesTag', () => {
  const TAG = '"a-b_c"';

  it.each([
    '"a-b_c"',
    'W/"a-b_c"',
    '*',
    ' * ',
    '"x", "a-b_c"',
    '"x","a-b_c" , "y"',
    'W/"x", W/"a-b_c"',
    '"x,y", "a-b_c"',
    '"", "a-b_c"',
  ])('should find the tag in %j', (header) => {
    expect(matchesTag(header, TAG)).toBe(true);
  });

  it.each([
    undefined,
    '',
    '"x"',
    'a-b_c',
    '"a-b_c',
    '"A-B_C"',
    '"a-b_cd"',
    '"xa-b_c"',
    '"x,a-b_c"',
    '"x, \'a-b_c\'"',
    '"*"',
    '*, "x"',
    '""',
  ])('should not find it in %j', (header) => {
    expect(matchesTag(header, TAG)).toBe(false);
  });
});
