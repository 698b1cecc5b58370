import { textWords } from '../../core/text/words.js';
import type { Media } from './media.schema.js';

/** Largest number of words by which a picture is found. */
const WORDS_MAX = 60;

/** The words by which the owner of a picture finds it. */
export function mediaWords({
  name,
  alt,
  caption = '',
  credit = '',
}: Pick<Media, 'name' | 'alt' | 'caption' | 'credit'>): string[] {
  return wordsOf([name.replaceAll('-', ' '), alt, caption, credit].join(' '));
}

export function wordsOf(text: string): string[] {
  return [...textWords(text, WORDS_MAX)];
}
