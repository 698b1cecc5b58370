import { HTML_NAMES } from '../policy/element-names.ts';
import { isMedia, TAGS_DROPPED_WITH_CONTENT } from '../policy/elements.ts';

/** The elements whose tags `repairSource` leaves as they are. */
const ORDINARY_NAMES = [...HTML_NAMES].filter(
  (name) => !TAGS_DROPPED_WITH_CONTENT.includes(name) && !isMedia(name),
);

/** An attribute, spelled as nearly all are, without angle brackets. */
const ATTRIBUTE = `\\s+[^\\s"'<>/=&|]+(?:=(?:"[^"<>]*"|'[^'<>]*'|[^\\s"'=<>\`]+))?`;

/** Matches a `<`, unless it begins a complete tag of an ordinary element, or can begin no tag at all. */
const UNUSUAL = new RegExp(
  `<(?![^a-z/!?]|$|/?(?:${ORDINARY_NAMES.join('|')})(?:${ATTRIBUTE})*\\s*/?>)`,
  'i',
);

/**
 * Whether it is plain that `repairSource` would change nothing. Most texts are ordinary, and the
 * tokenizer takes far longer than this pattern.
 */
export function isOrdinarySource(source: string): boolean {
  return !UNUSUAL.test(source);
}
