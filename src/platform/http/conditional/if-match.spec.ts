import { describe, expect, it } from '@jest/globals';
import { acceptsRevision, parseIfMatch } from './if-match.js';
import { Revisioned } from './revisioned.js';

describe('parseIfMatch', () => {
  it.each([undefined, '*', ' * '])('should accept any revision for %j', (header) => {
    expect(parseIfMatch(header)).toBeNull();
  });

  it.each([
    ['"1"', [1]],
    [' "1" ', [1]],
    ['"0"', [0]],
    ['"1", "22" ,"333"', [1, 22, 333]],
    ['"1",', [1]],
    ['"1", W/"2", "x", "3"', [1, 3]],
    ['"123456789012345"', [123_456_789_012_345]],
  ])('should read %j', (header, revisions) => {
    expect([...(parseIfMatch(header) ?? [])]).toEqual(revisions);
  });

  it.each(['', '1', '"1', 'W/"1"', '"01"', '"1.0"', '"-1"', '"*"', '"x"', '"9007199254740993"'])(
    'should match nothing for %j',
    (header) => {
      expect(parseIfMatch(header)).toEqual(new Set());
    },
  );
});

describe('acceptsRevision', () => {
  it('should accept only the revision that the tag names', () => {
    const { tag } = new Revisioned({}, 42);
    for (const rev of [0, 1, 41, 42, 43]) {
      expect(acceptsRevision(parseIfMatch(tag), rev)).toBe(rev === 42);
    }
  });

  it('should accept any revision for null, and none for an empty set', () => {
    expect(acceptsRevision(null, 42)).toBe(true);
    expect(acceptsRevision(new Set(), 42)).toBe(false);
  });
});
