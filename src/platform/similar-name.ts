import { closestMatch } from 'leven';

/** One typing mistake is allowed for every so many characters of a name, and one in any name of three. */
const CHARACTERS_PER_MISTAKE = 4;
const SHORTEST = 3;

/**
 * Finds the known name that somebody may have meant. Case, `_` and `-` do not count as a difference.
 *
 * @param name a name that is not known itself
 * @returns null if no known name is similar
 */
export function similarName(name: string, known: readonly string[]): string | null {
  const plain = plainForm(name);
  if (plain.length < SHORTEST) return null;
  const plainNames = known.map(plainForm);
  const maxDistance = Math.max(1, Math.floor(plain.length / CHARACTERS_PER_MISTAKE));
  const match = closestMatch(plain, plainNames, { maxDistance });
  return match === undefined ? null : (known[plainNames.indexOf(match)] ?? null);
}

function plainForm(name: string): string {
  return name.replace(/[_-]/g, '').toLowerCase();
}
