/**
 * Deepest nesting of a body. No body of this API needs as many levels, and recursion to this depth
 * is safe.
 */
export const MAX_DEPTH = 32;

/** Largest number of object members plus array elements in a body. No body of this API needs 100. */
export const MAX_PARTS = 1_000;

export type JsonExcess = 'depth' | 'parts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const BLANK = 1;
const STRING = 2;
const OPENING = 3;
const CLOSING = 4;
const COMMA = 5;

/**
 * The kind of each byte value outside a string; 0 for all bytes not listed here, those of multi-byte UTF-8
 * included.
 */
const KINDS = new Uint8Array(256);
for (const [characters, kind] of [
  [' \t\n\r', BLANK],
  ['"', STRING],
  ['[{', OPENING],
  [']}', CLOSING],
  [',', COMMA],
] as const) {
  for (const character of characters) KINDS[character.charCodeAt(0)] = kind;
}

/**
 * Scans JSON (RFC 8259) for excessive nesting or too many parts, before `JSON.parse` allocates memory for
 * each of them. The result for malformed JSON is arbitrary; the parser refuses it.
 *
 * The cost is one table look-up per byte, so no input can make the scan slow.
 *
 * @param bytes the JSON in UTF-8
 * @returns which bound is exceeded, or null
 */
export function excessOf(bytes: Uint8Array): JsonExcess | null {
  let depth = 0;
  let parts = 0;
  // Whether the last token was an opening bracket. The next token is then a closing bracket or the first part.
  let isAfterOpening = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const kind = KINDS[bytes[index] as number];
    if (kind === BLANK) continue;
    if (isAfterOpening && kind !== CLOSING) parts += 1;
    isAfterOpening = kind === OPENING;
    if (kind === STRING) {
      index = endOfString(bytes, index);
    } else if (kind === OPENING) {
      depth += 1;
      if (depth > MAX_DEPTH) return 'depth';
    } else if (kind === CLOSING) {
      depth -= 1;
    } else if (kind === COMMA) {
      parts += 1;
    }
    if (parts > MAX_PARTS) return 'parts';
  }
  return null;
}

/** @returns the index of the closing quote; an index after the last byte if it is missing */
function endOfString(bytes: Uint8Array, start: number): number {
  let index = start + 1;
  while (index < bytes.length && bytes[index] !== QUOTE) {
    index += bytes[index] === BACKSLASH ? 2 : 1;
  }
  return index;
}
