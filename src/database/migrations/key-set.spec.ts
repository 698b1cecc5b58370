import { describe, expect, it } from '@jest/globals';
import { KeySet } from './key-set.js';

describe('KeySet', () => {
  it('should know what was added, and tell a repetition', () => {
    const keys = new KeySet();
    expect(keys.add('a')).toBe(true);
    expect(keys.add('a')).toBe(false);
    expect(keys.has('a')).toBe(true);
    expect(keys.has('b')).toBe(false);
  });

  it('should tell a hundred thousand texts apart', () => {
    const keys = new KeySet();
    const added = Array.from({ length: 100_000 }, (_, number) => keys.add(`slug-${number}`));
    expect(added.every((isNew) => isNew)).toBe(true);
  });
});
