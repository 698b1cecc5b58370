import {
  folded,
  withoutInvisible,
  withoutLoneMarks,
  withSingleBlanks,
} from '../../../../platform/text/characters.ts';

/** Marks that enclose a character, such as the key of a keycap emoji. */
const ENCLOSING = /\p{Me}+/gu;

/**
 * Apostrophes and the like, which stand within words: `don't` becomes `dont`. A middle dot does so between
 * two `l` in Catalan. Elsewhere it separates words, as in Chinese forms of foreign names.
 */
const WITHIN_WORDS = /['\u2018\u2019\uff07\u2027\u05f3\u05f4]+|(?<=l)\u00b7(?=l)/g;

/** What a name in a URL may contain besides letters and their marks. */
const NOT_IN = {
  slug: /[^\p{L}\p{M}\p{N}\-_.~]+/gu,
  id: /[^\p{L}\p{M}\p{N}_.:-]+/gu,
} as const;

/**
 * The words of a text as slugs and the ids of headings have them: in lower case (NFC), and `-` for
 * each run of other characters between them. What shows nothing is dropped, and so are marks whose
 * letter is missing.
 *
 * @param text a title or heading. The caller limits its length, because NFC sorts marks in quadratic time
 */
export function dashedWords(text: string, kind: keyof typeof NOT_IN): string {
  const visible = folded(withoutInvisible(withSingleBlanks(text)))
    .normalize('NFC')
    .replace(ENCLOSING, '');
  return withoutLoneMarks(visible).replace(WITHIN_WORDS, '').replace(NOT_IN[kind], '-');
}

/** An id that its author has given, without characters that no id may have. Its case stays. */
export function dashedId(id: string): string {
  return withoutLoneMarks(withoutInvisible(id)).replace(NOT_IN.id, '-');
}
