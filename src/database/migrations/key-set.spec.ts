import { describe, expect, it } from '@jest/globals';
import { KeySet } from './key-set.js';

describe('KeySet', () => {
  it('should contain added texts and report a repeated one', () => {
    const keys = new KeySet();
    expect(keys.add('a')).toBe(true);
    expect(keys.add('a')).toBe(false);
    expect(keys.has('a')).toBe(true);
    expect(keys.has('b')).toBe(false);
  });

  it('should distinguish a hundred thousand texts', () => {
    const keys = new KeySet();
    const added = Array.from({ length: 100_000 }, (_, number) => keys.add(`slug-${number}`));
    expect(added.every((isNew) => isNew)).toBe(true);
  });
});
