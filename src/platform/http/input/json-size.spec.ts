import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { excessOf, MAX_DEPTH, MAX_PARTS, type JsonExcess } from './json-size.js';

const MIB = 1_048_576;

function check(text: string): JsonExcess | null {
  return excessOf(Buffer.from(text));
}

/** Levels of nesting, and members plus elements, of a parsed value. */
function sizeOf(value: unknown): { levels: number; parts: number } {
  if (typeof value !== 'object' || value === null) return { levels: 0, parts: 0 };
  const children = Object.values(value);
  const sizes = children.map(sizeOf);
  return {
    levels: 1 + Math.max(0, ...sizes.map(({ levels }) => levels)),
    parts: children.length + sizes.reduce((sum, size) => sum + size.parts, 0),
  };
}

/** Strings with characters that have a meaning outside of strings. */
const trickyString = fc.string({
  unit: fc.constantFrom('"', '\\', ',', '[', ']', '{', '}', ':', ' ', '\n', 'a', 'é', '漢', '𝒳'),
});
const leaf = fc.oneof(trickyString, fc.integer(), fc.double(), fc.boolean(), fc.constant(null));
const smallValue = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    leaf,
    fc.array(tie('node'), { maxLength: 6 }),
    fc.dictionary(trickyString, tie('node'), { maxKeys: 6 }),
  ),
})).node;

/** Values whose width and depth are around the bounds. */
const boundaryValue = fc
  .record({
    core: smallValue,
    levels: fc.integer({ min: 0, max: MAX_DEPTH + 4 }),
    width: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 940, max: 1_010 })),
    filler: fc.oneof(leaf, fc.constant([]), fc.constant({})),
    isObject: fc.boolean(),
  })
  .map(({ core, levels, width, filler, isObject }) => {
    let nested = core;
    for (let level = 0; level < levels; level += 1) nested = isObject ? { a: nested } : [nested];
    const row = Array.from({ length: width }, () => filler);
    return isObject ? { ...row, nested } : [...row, nested];
  });

const indents = fc.constantFrom(undefined, 1, '\t', '\n ');

describe('excessOf', () => {
  it('should agree with a count over the parsed value', () => {
    const verdicts = { depth: 0, parts: 0, none: 0 };
    fc.assert(
      fc.property(fc.oneof(smallValue, boundaryValue), indents, (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const { levels, parts } = sizeOf(JSON.parse(text));
        const verdict = check(text);
        verdicts[verdict ?? 'none'] += 1;
        // When both bounds are exceeded, the scan reports the one that it reaches first.
        const exceeded = [
          ...(levels > MAX_DEPTH ? ['depth'] : []),
          ...(parts > MAX_PARTS ? ['parts'] : []),
        ];
        expect(exceeded.length === 0 ? [null] : exceeded).toContain(verdict);
      }),
      { numRuns: 400 },
    );
    expect(Math.min(...Object.values(verdicts))).toBeGreaterThan(5);
  });

  it.each([
    ['a string of brackets and escaped quotes', `"${'\\"['.repeat(50)}"`, null],
    ['brackets after a string that ends with a backslash', `"\\\\"${'['.repeat(33)}`, 'depth'],
    ['many empty lists in a row', '[],'.repeat(40) + '[]', null],
    ['1,001 members', `{${'"a":0,'.repeat(1_000)}"a":0}`, 'parts'],
    ['1,000 elements in nested lists', `[${'[0],'.repeat(499)}[0]]`, null],
    ['1,002 elements in nested lists', `[${'[0],'.repeat(500)}[0]]`, 'parts'],
    // The scan need not recognize malformed JSON: the parser refuses it.
    ['no JSON', '', null],
    ['an open string', '"', null],
    ['an open string that ends with a backslash', '"\\', null],
    ['closing brackets only', ']'.repeat(100), null],
    ['opening brackets only', '['.repeat(100_000), 'depth'],
  ])('should report the excess, if any, of %s', (_what, text, verdict) => {
    expect(check(text)).toBe(verdict);
  });

  /**
   * Uses inputs within the bounds, because these are scanned to their end. Compares a ratio, because
   * times depend on the machine.
   */
  it('should take less than half the time per byte that parsing many small keys takes', () => {
    const members = Array.from({ length: 87_000 }, (_, index) => `"k${index}":0`).join(',');
    const manyKeys = `{${members}}`;
    const inputs = [
      `"${'\\"'.repeat(MIB / 2)}"`,
      ' '.repeat(MIB),
      '0'.repeat(MIB),
      '""'.repeat(MIB / 2),
      ']'.repeat(MIB),
    ].map((text) => Buffer.from(text));
    const scans = inputs.map((bytes) => fastest(() => expect(excessOf(bytes)).toBeNull()));
    const parse = fastest(() => JSON.parse(manyKeys) as unknown);
    for (const scan of scans) expect(scan / MIB / (parse / manyKeys.length)).toBeLessThan(0.5);
  });
});

/** Milliseconds of the fastest of several runs, which other load on the machine affects least. */
function fastest(work: () => unknown): number {
  const times = Array.from({ length: 7 }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return Math.min(...times);
}
