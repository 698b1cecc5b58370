/** Minimum and maximum number of characters. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/**
 * Whether the length of a text in Unicode code points, as JSON Schema counts, is within the bounds. A
 * text that is far too long is refused without counting.
 *
 * @param text well-formed, that is without unpaired surrogates
 */
export function hasLength(text: string, { min, max }: Bounds): boolean {
  // A code point has one or two code units, so most texts need no counting.
  if (text.length < min || text.length > 2 * max) return false;
  if (text.length >= 2 * min && text.length <= max) return true;
  const length = codePointsOf(text);
  return length >= min && length <= max;
}

/** Number of Unicode code points: the same as `[...text].length`, but without allocating an array. */
function codePointsOf(text: string): number {
  let pairs = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (isFirstOfPair(text.charCodeAt(index))) pairs += 1;
  }
  return text.length - pairs;
}

function isFirstOfPair(codeUnit: number): boolean {
  return codeUnit >= 0xd800 && codeUnit <= 0xdbff;
}
