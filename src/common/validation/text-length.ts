/** Least and most characters of a text. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/**
 * Whether a text has so many characters, in Unicode code points, as JSON Schema counts them. It
 * costs nothing for a text far beyond the bounds, whose length is the sender's choice.
 *
 * @param text well-formed: without unpaired surrogates
 */
export function hasLength(text: string, { min, max }: Bounds): boolean {
  // A code point is one code unit or two, so most texts need no counting.
  if (text.length < min || text.length > 2 * max) return false;
  if (text.length >= 2 * min && text.length <= max) return true;
  const length = codePointsOf(text);
  return length >= min && length <= max;
}

/** As `[...text].length`, without an array of as many texts. */
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
