import { describe, expect, it } from '@jest/globals';
import { KeySet } from './key-set.js';

describe('KeySet', () => {
  it('should report a repeated text', () => {
    const keys = new KeySet();
    expect(keys.add('a')).toBe(true);
    expect(keys.add('a')).toBe(false);
  });

  it('should distinguish a hundred thousand texts', () => {
    const keys = new KeySet();
    const added = Array.from({ length: 100_000 }, (_, number) => keys.add(`slug-${number}`));
    expect(added.every((isNew) => isNew)).toBe(true);
  });
});
