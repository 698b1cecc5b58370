import { describe, expect, it } from '@jest/globals';
import { namesItsOwner } from './password-owner.js';

const OWNER = { email: 'ada@example.org', name: 'Ada Lovelace' };

describe('namesItsOwner', () => {
  it.each([
    'ada@example.org',
    'ADA@Example.org',
    ' ada@example.org ',
    'Ada Lovelace',
    'ada lovelace',
  ])('should be true for %j', (password) => {
    expect(namesItsOwner(password, OWNER)).toBe(true);
  });

  it.each(['ada@example.orgs', 'Ada Lovelace 1815', 'Ada  Lovelace', 'lovelace', ''])(
    'should be false for %j',
    (password) => {
      expect(namesItsOwner(password, OWNER)).toBe(false);
    },
  );
});
