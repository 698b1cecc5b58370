const KIB = 1_024;
const MIB = 1_048_576;

/** Bytes of a body where a route says nothing else. */
export const DEFAULT_BODY_LIMIT = 16 * KIB;

/** Bytes of a body that carries the text of an article. */
export const ARTICLE_BODY_LIMIT = MIB;

/** @param bytes whole KiB @returns as people read it, such as `16 KiB` */
export function sizeInWords(bytes: number): string {
  return bytes % MIB === 0 ? `${bytes / MIB} MiB` : `${bytes / KIB} KiB`;
}
