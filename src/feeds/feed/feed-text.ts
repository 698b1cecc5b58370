import { escapeHtml } from '../../platform/text/escape-html.js';
import type { Site } from '../site.service.js';

/**
 * Characters that XML 1.0 does not allow, even escaped (section 2.2); lone surrogates are among
 * them.
 */
const NOT_IN_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** The tag of a link or an image, up to its URL, if the URL is a path or a fragment. */
const BEFORE_RELATIVE_URL = /(<(?:a|img)(?: [a-z]+="[^"]*")*? (?:href|src)=")(?=([/#]))/g;

/** The `srcset` of an image. Its URLs stand at its start and behind a comma and a blank. */
const PICTURES = /(<(?:img|source)(?: [a-z]+="[^"]*")*? srcset=")([^"]*)/g;
const BEFORE_PATH = /(^|, )(?=\/)/g;

/** Removes the characters that no XML document may contain. */
export function xmlText(text: string): string {
  return text.replace(NOT_IN_XML, '');
}

/**
 * Makes paths and fragments in links and images absolute, because a feed reader shows the text
 * outside the site. Cleaned texts contain no other relative URL.
 *
 * @param html a text as HtmlCleaner returns it
 */
export function withAbsoluteUrls(html: string, { origin }: Site, articleUrl: string): string {
  const article = escapeHtml(articleUrl);
  return html
    .replace(
      BEFORE_RELATIVE_URL,
      (_match, start: string, first: string) => start + (first === '#' ? article : origin),
    )
    .replace(
      PICTURES,
      (_match, start: string, pictures: string) =>
        start + pictures.replace(BEFORE_PATH, `$1${origin}`),
    );
}
