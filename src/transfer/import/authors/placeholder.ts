import { createHash } from 'node:crypto';
import { authorKey } from './authors-file.js';

/** Longest part of an address that is made of the name, in characters. */
const NAME_PART_MAX = 40;

/**
 * The address of the account of an author of whom only the name is known. No mail reaches it (RFC 6761), and the same
 * name leads to the same address in every import.
 *
 * @param number above 1 for a further address, if somebody else has the one before
 */
export function placeholderAddress(name: string, number: number): string {
  const key = authorKey(name);
  const letters = key.normalize('NFKD').replace(/\p{M}/gu, '');
  const words = letters.match(/[a-z0-9]+/g) ?? ['author'];
  const hash = createHash('sha256').update(key).digest('hex').slice(0, 10);
  const local = `${words.join('-').slice(0, NAME_PART_MAX)}-${hash}`;
  return `${local}${number === 1 ? '' : `-${number}`}@authors.invalid`;
}

/** Matches words and signs between several names in one text. */
const BETWEEN = /;|\s(?:&|\+|and|und|et|y)\s/i;

/**
 * The names in a text that may hold several: `Ada and Bob`, or full names with commas between them.
 *
 * @param isKnown whether a text is an author for sure, so that a comma after it is followed by another one
 */
export function namesIn(text: string, isKnown: (text: string) => boolean = () => false): string[] {
  return trimmed(text.split(BETWEEN)).flatMap((part) => {
    const names = trimmed(part.split(','));
    // `Lovelace, Ada` is one name.
    const isName = (name: string): boolean => name.includes(' ') || isKnown(name);
    return names.length > 1 && names.every(isName) ? names : [part];
  });
}

function trimmed(texts: readonly string[]): string[] {
  return texts.map((text) => text.trim()).filter((text) => text !== '');
}
