import { normalizeSlug } from '../../../blog/core/text/slug.js';

/** File systems allow 255 bytes, with the ending. */
const NAME_BYTES = 200;

/** Names that Windows reserves, with any ending. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/;

/** As what `fileNameOf` makes of a slug that cannot stay. */
const ENDS_WITH_ID = /-[0-9a-f]{24}$/;

/**
 * The name of the file of an article: its slug, where that is a name on every file system and differs from all
 * others also without regard to case; otherwise what can stay of it, and the id.
 *
 * @param id in hex
 */
export function fileNameOf(slug: string, id: string): string {
  const normal = normalizeSlug(slug);
  const isName =
    normal !== '' &&
    normal === slug &&
    Buffer.byteLength(slug) <= NAME_BYTES &&
    !slug.startsWith('.') &&
    slug.toUpperCase().toLowerCase() === slug &&
    !RESERVED.test(slug) &&
    !ENDS_WITH_ID.test(slug);
  if (isName) return `${slug}.md`;
  const kept = Array.from(normal.replace(/^\.+/, ''))
    .slice(0, NAME_BYTES / 4)
    .join('');
  return `${kept === '' ? '' : `${kept}-`}${id}.md`;
}
