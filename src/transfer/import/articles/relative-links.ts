import { Tokenizer, type Token } from 'parse5';
import { escapeHtml } from '../../../platform/text/escape-html.js';

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
  let result = '';
  let copiedTo = 0;
  for (const { name, value, start, end } of urlAttributesOf(html)) {
    const resolved = RESOLVERS.get(name)?.(value, base) ?? value;
    if (resolved === value) continue;
    result += `${html.slice(copiedTo, start)}${name}="${escapeHtml(resolved)}"`;
    copiedTo = end;
  }
  return result + html.slice(copiedTo);
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
  return value
    .split(/,(?:\s+|$)/)
    .map((picture) => picture.trim().replace(/^\S+/, (address) => resolveUrl(address, base)))
    .filter((picture) => picture !== '')
    .join(', ');
}

/** An attribute with URLs, and its place in the text. */
interface UrlAttribute {
  readonly name: string;
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The attributes with URLs of all tags. Tags in scripts and other raw text are read like any other,
 * because the cleaner removes such text.
 */
function urlAttributesOf(html: string): UrlAttribute[] {
  const found: UrlAttribute[] = [];
  const ignore = (): void => {};
  const onStartTag = ({ attrs, location }: Token.TagToken): void => {
    for (const { name, value } of attrs) {
      const place = location?.attrs?.[name];
      if (!place || !RESOLVERS.has(name)) continue;
      found.push({ name, value, start: place.startOffset, end: place.endOffset });
    }
  };
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag,
      onEndTag: ignore,
      onComment: ignore,
      onDoctype: ignore,
      onCharacter: ignore,
      onWhitespaceCharacter: ignore,
      onNullCharacter: ignore,
      onEof: ignore,
    },
  );
  tokenizer.write(html, true);
  return found;
}
