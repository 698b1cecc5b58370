/** The last tag of a page. */
export interface TagCursor {
  readonly count: number;
  readonly key: string;
}

/**
 * Longest cursor, in characters. The key of a tag may be longer than the tag, which has at most 50.
 */
export const TAG_CURSOR_LENGTH_MAX = 2_000;

/** @returns base64url of `[count, key]`, opaque to clients */
export function encodeTagCursor({ count, key }: TagCursor): string {
  return Buffer.from(JSON.stringify([count, key])).toString('base64url');
}

/** @returns null for every text that `encodeTagCursor` would not produce */
export function parseTagCursor(text: string): TagCursor | null {
  if (text.length > TAG_CURSOR_LENGTH_MAX) return null;
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return null;
  }
  if (!Array.isArray(value) || value.length !== 2) return null;
  const [count, key] = value as unknown[];
  if (!Number.isSafeInteger(count) || typeof key !== 'string') return null;
  const cursor = { count: Number(count), key };
  return encodeTagCursor(cursor) === text ? cursor : null;
}
