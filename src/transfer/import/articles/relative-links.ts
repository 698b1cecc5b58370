import { escapeHtml } from '../../../platform/text/escape-html.js';
import { srcsetCandidates } from '../../../platform/text/srcset.js';
import { placeOf, readTags, withEdits, type Edit } from '../html/source-edits.js';

/**
 * Matches a text that may hold a link, a picture or a file with a relative URL. Most texts do not
 * match, and are not read by the tokenizer.
 */
const MAYBE_RELATIVE =
  /\bsrcset\s*=|\b(?:src|href|poster)\s*=\s*(?:["']\s*)?(?!https?:|mailto:|#|data:)[^\s"'>]/i;

/** Matches an absolute URL, a fragment within the article, or an empty value. */
const NOT_RELATIVE = /^\s*(?:[a-z][a-z0-9+.-]*:|#|$)/i;

/** How the URLs in the value of an attribute are made absolute, by the name of the attribute. */
const RESOLVERS: ReadonlyMap<string, (value: string, base: string) => string> = new Map([
  ['src', resolveUrl],
  ['href', resolveUrl],
  ['poster', resolveUrl],
  ['srcset', resolvePictures],
]);

/**
 * Makes the relative URLs of links, pictures and files absolute, and changes nothing else. The time
 * is linear.
 */
export function resolveLinks(html: string, base: string): string {
  if (!MAYBE_RELATIVE.test(html)) return html;
  const edits: Edit[] = [];
  readTags(html, {
    onStartTag: ({ attrs, location }) => {
      for (const { name, value } of attrs) {
        const resolved = RESOLVERS.get(name)?.(value, base) ?? value;
        const place = location?.attrs?.[name];
        if (!place || resolved === value) continue;
        edits.push({ ...placeOf(place), text: `${name}="${escapeHtml(resolved)}"` });
      }
    },
  });
  return withEdits(html, edits);
}

/** Matches a link or an image whose URL is relative to the file of the article, not to its site. */
const RELATIVE_TO_FILE =
  /<(?:a|img)\b[^>]{0,1000}?\s(?:src|href)\s*=\s*(?:["']\s*)?(?![a-z][a-z0-9+.-]*:|[/#?]|["'\s>])/i;

/** Whether a text has links or images that mean nothing without the URL of the article. */
export function hasRelativeUrls(html: string): boolean {
  return RELATIVE_TO_FILE.test(html);
}

export function isRelativeUrl(value: string): boolean {
  return !NOT_RELATIVE.test(value);
}

/** @returns the absolute URL; the value itself if it is not relative, or not valid */
function resolveUrl(value: string, base: string): string {
  if (NOT_RELATIVE.test(value)) return value;
  return URL.parse(value.trim(), base)?.href ?? value;
}

function resolvePictures(value: string, base: string): string {
  return srcsetCandidates(value)
    .map(({ address, descriptor }) => `${resolveUrl(address, base)} ${descriptor}`.trim())
    .join(', ');
}
