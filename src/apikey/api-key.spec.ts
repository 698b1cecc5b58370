import { describe, expect, it } from '@jest/globals';
import { generateApiKey, isPlausibleApiKey } from './api-key.js';

describe('generateApiKey', () => {
  it('should generate unique, plausible keys that begin with pr_', () => {
    const keys = Array.from({ length: 100 }, generateApiKey);
    expect(new Set(keys).size).toBe(100);
    for (const key of keys) {
      expect(key).toMatch(/^pr_[0-9A-Za-z]{49}$/);
      expect(isPlausibleApiKey(key)).toBe(true);
    }
  });
});

describe('isPlausibleApiKey', () => {
  it('should detect a wrong character at any position after pr_', () => {
    const key = generateApiKey();
    const missed = [...key].flatMap((character, index) => {
      const other = character === '0' ? '1' : '0';
      const mistyped = key.slice(0, index) + other + key.slice(index + 1);
      // Any text that does not begin with pr_ is accepted: it may be a key of an older server.
      return mistyped.startsWith('pr_') && isPlausibleApiKey(mistyped) ? [mistyped] : [];
    });
    expect(missed).toEqual([]);
  });

  it.each(['k', 'GCMUDiuY5a7WvyUNt9n3QztToSHzK7Uj', 'pr_short', 'pr_', 'x'.repeat(256)])(
    'should accept %s, which an older server may have made',
    (key) => {
      expect(isPlausibleApiKey(key)).toBe(true);
    },
  );

  it('should refuse a key that is too long', () => {
    expect(isPlausibleApiKey('x'.repeat(257))).toBe(false);
  });
});
