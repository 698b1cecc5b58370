import { normalizeSlug } from '../../../blog/core/text/slug.js';

/** Longest name in bytes, without the extension; file systems allow 255 with the extension. */
const NAME_BYTES = 200;

/** Names that Windows reserves, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/;

/** Matches slugs that look like a name which `fileNameOf` makes from a slug and an id. */
const ENDS_WITH_ID = /-[0-9a-f]{24}$/;

/**
 * The file name of an article. It is the slug, if the slug is a valid name on every file system and
 * differs from the names of all other articles even if case is ignored. Otherwise, the name is made
 * of the valid part of the slug, and the id.
 *
 * @param id the id in hex
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
  const kept = Array.from(normal.replace(/^[.-]+/, ''))
    .slice(0, NAME_BYTES / 4)
    .join('');
  return `${kept === '' ? '' : `${kept}-`}${id}.md`;
}
