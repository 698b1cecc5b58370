import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { cpuTime } from '../../../../test/support/time/cpu-time.js';
import { containsText } from './contains-text.js';

const LENGTH = 100_000;

/** Few different characters, so that many beginnings match. */
const text = (maxLength: number) => fc.string({ unit: fc.constantFrom('a', 'b', '😀'), maxLength });

describe('containsText', () => {
  it('should return what `includes` returns', () => {
    fc.assert(
      fc.property(text(60), text(12), (within, wanted) => {
        expect(containsText(within, wanted)).toBe(within.includes(wanted));
      }),
      { numRuns: 2_000 },
    );
  });

  it('should find every part of a text', () => {
    fc.assert(
      fc.property(text(60), fc.nat(60), fc.nat(60), (within, start, end) => {
        expect(containsText(within, within.slice(start, end))).toBe(true);
      }),
    );
  });

  // `includes` takes more than a second for these searches.
  it('should take less than 10 ms on average for texts that nearly match everywhere', () => {
    const within = 'a'.repeat(LENGTH);
    const wanted = `ab${'a'.repeat(298)}`;
    const search = (): void => {
      for (let n = 0; n < 100; n += 1) expect(containsText(within, wanted)).toBe(false);
    };
    expect(cpuTime(search)).toBeLessThan(1_000);
  });
});
