import { asOneLine, forbiddenProblem, hasVisible } from '../../text/characters.js';
import { InvalidBodyError } from '../errors/api.errors.js';

/**
 * - `one`: each run of blanks with a tab or a line break becomes one blank.
 * - `many`: the text keeps its tabs and line breaks.
 */
export type Lines = 'one' | 'many';

/** A text as it is to be stored. */
export interface NewText {
  readonly value: string;
  /** The end of an error message that begins with the name of the field; null for a good text. */
  readonly problem: string | null;
}

/** Checks the characters of a text that a request has sent. An empty text has no problem. */
export function newText(sent: string, lines: Lines = 'one'): NewText {
  const value = lines === 'one' ? asOneLine(sent) : sent.trim();
  return { value, problem: sent === '' ? null : charactersProblem(value) };
}

/** @returns the end of an error message about the characters of a text; null for a good text */
export function charactersProblem(text: string): string | null {
  return forbiddenProblem(text) ?? (hasVisible(text) ? null : 'must have visible characters');
}

/**
 * Checks a text that replaces a stored one. A request may repeat the stored text, which an earlier
 * version may have accepted although this version would not.
 *
 * @param readStored reads the stored value; called only if the text that was sent cannot be stored as it is
 * @returns what to store
 * @throws InvalidBodyError
 */
export async function replacementOf(
  field: string,
  sent: string,
  check: (sent: string) => NewText,
  readStored: () => Promise<unknown>,
): Promise<string> {
  const { value, problem } = check(sent);
  if ((value !== sent || problem !== null) && sent === (await readStored())) return sent;
  if (problem !== null) throw new InvalidBodyError([{ field, message: `${field} ${problem}` }]);
  return value;
}
