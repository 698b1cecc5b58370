const KIB = 1_024;
const MIB = 1_048_576;

/** Limit in bytes for routes that declare none. */
export const DEFAULT_BODY_LIMIT = 16 * KIB;

/** Limit in bytes for a body with the text of an article. */
export const ARTICLE_BODY_LIMIT = MIB;

/**
 * Writes a size for people, such as `16 KiB`.
 *
 * @param bytes a multiple of 1 KiB
 */
export function sizeInWords(bytes: number): string {
  return bytes % MIB === 0 ? `${bytes / MIB} MiB` : `${bytes / KIB} KiB`;
}
