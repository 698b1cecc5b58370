/** Deeper than any body of this API; recursion over one that passes cannot exhaust the stack. */
export const MAX_DEPTH = 32;

/** Members of objects and elements of arrays, counted together; no body of this API needs 100. */
export const MAX_PARTS = 1_000;

export type JsonExcess = 'depth' | 'parts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const BLANK = 1;
const TEXT = 2;
const OPENING = 3;
const CLOSING = 4;
const COMMA = 5;

/** What a byte outside of a text means; those of longer UTF-8 sequences are none of these. */
const KINDS = new Uint8Array(256);
for (const [characters, kind] of [
  [' \t\n\r', BLANK],
  ['"', TEXT],
  ['[{', OPENING],
  [']}', CLOSING],
  [',', COMMA],
] as const) {
  for (const character of characters) KINDS[character.charCodeAt(0)] = kind;
}

/**
 * Looks once at the bytes of a JSON text (RFC 8259) and says whether it is nested too deeply or has
 * too many members and elements, before `JSON.parse` makes an object of each. What is no JSON gets
 * some answer, and is for the parser to refuse.
 *
 * A byte costs one look-up in a table, whatever the text holds: who sends it chooses.
 *
 * @param bytes UTF-8
 * @returns null when both are within their bounds
 */
export function excessOf(bytes: Uint8Array): JsonExcess | null {
  let depth = 0;
  let parts = 0;
  // Whether an array or object has just begun: what comes next is its first part, or its end.
  let hasBegun = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const kind = KINDS[bytes[index] as number];
    if (kind === BLANK) continue;
    if (hasBegun && kind !== CLOSING) parts += 1;
    hasBegun = kind === OPENING;
    if (kind === TEXT) {
      index = endOfText(bytes, index);
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

/** @returns where the closing quote is, or the end of the bytes */
function endOfText(bytes: Uint8Array, start: number): number {
  let index = start + 1;
  while (index < bytes.length && bytes[index] !== QUOTE) {
    index += bytes[index] === BACKSLASH ? 2 : 1;
  }
  return index;
}
