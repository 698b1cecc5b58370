import {
  asOneLine,
  withoutForbidden,
  withoutInvisible,
} from '../../../platform/text/characters.js';

/** Longest text of a person in a mail, in characters. */
const MAX_LENGTH = 120;

/** A word joiner: programs for mail make no link of an address or a URL that it interrupts, and show nothing. */
const WORD_JOINER = '\u2060';

/**
 * A text that a person typed, such as a name or a title, so that no program for mail makes a link of it: on one
 * line, without invisible characters, and with a word joiner after each dot, colon, slash and at sign that touches
 * the next character.
 */
export function inertText(text: string): string {
  const line = withoutForbidden(withoutInvisible(asOneLine(text)));
  const characters = [...line];
  const cut =
    characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH - 1).join('')}…` : line;
  return cut.replace(/[.:/@](?=\S)/g, `$&${WORD_JOINER}`);
}
