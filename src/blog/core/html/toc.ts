import { visibleText } from '../text/visible-text.js';

/** A heading of an article. */
export interface Heading {
  /** The id of the heading's element, for links to it. */
  readonly id: string;
  /** The level of the heading: 1 to 6, as in `h1` to `h6`. */
  readonly level: number;
  /** The heading as plain text on one line; '' if the heading has no text. */
  readonly text: string;
}

const HEADING_TAG = /<(?:h([1-6]) id="([^"]*)"(?: [a-z]+="[^"]*")*|\/h[1-6])>/g;

/**
 * The headings of an article, in document order. If a heading contains another one, which a table
 * makes possible, the inner text belongs to the inner heading only. So the result is never longer
 * than the article.
 *
 * @param html what `cleanHtml` returned
 */
export function tocOf(html: string): Heading[] {
  const found: { id: string; level: number; html: string }[] = [];
  const open: typeof found = [];
  let readTo = 0;
  for (const { index, 0: tag, 1: level, 2: id = '' } of html.matchAll(HEADING_TAG)) {
    const innermost = open.at(-1);
    if (innermost) innermost.html += html.slice(readTo, index);
    readTo = index + tag.length;
    if (level === undefined) {
      open.pop();
    } else {
      const heading = { id, level: Number(level), html: '' };
      found.push(heading);
      open.push(heading);
    }
  }
  return found.map(({ id, level, html: inner }) => ({ id, level, text: visibleText(inner) }));
}
