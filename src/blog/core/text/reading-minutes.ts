import { visibleText } from './visible-text.js';

/** Words that a reader of English reads in a minute on average. */
const WORDS_A_MINUTE = 230;

/**
 * How long an article takes to read: its visible words at 230 a minute. Blanks separate words, so in
 * scripts without blanks, such as Chinese, the function counts fewer words than a reader would.
 *
 * @param html what `cleanHtml` returned
 * @returns whole minutes, at least 1
 */
export function readingMinutes(html: string): number {
  const text = visibleText(html);
  // `visibleText` leaves one blank between words, and none around them.
  let words = text === '' ? 0 : 1;
  for (let at = text.indexOf(' '); at !== -1; at = text.indexOf(' ', at + 1)) words += 1;
  return Math.max(1, Math.round(words / WORDS_A_MINUTE));
}
