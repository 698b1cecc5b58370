/** The locale is fixed: the words of a text must not depend on the machine that reads it. */
const SEGMENTER = new Intl.Segmenter('en', { granularity: 'word' });

/** Shorter words of an alphabet (of, is, le, в) say little about what a text is about. */
const ALPHABETIC_LENGTH_MIN = 3;

/** Scripts in which one or two characters are a whole word. */
const DENSE_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** English function words of three letters and more; shorter ones fall to the length. */
const STOP_WORDS = new Set(
  (
    'about after all also and any are because been before being between both but can could did ' +
    'does doing each few for from had has have having her here his how into its itself just may ' +
    'more most much not now off once one only other our out over own same she should some such ' +
    'than that the their them then there these they this those through too under until upon use ' +
    'using very was were what when where which while who why will with would you your'
  ).split(' '),
);

/** Room for the longest title and description; compatibility forms may grow 18-fold in NFKC. */
const CHARACTERS_READ_MAX = 4_000;

const CURLY_APOSTROPHE = /\u2019/g;

/**
 * The key under which a tag is matched "without regard to case" (contract, section 5): NFKC and
 * lower case, so that full-width or ligature spellings meet too.
 *
 * @param tag A tag as written, trimmed.
 * @returns The key; the key of a key is itself.
 */
export function tagKey(tag: string): string {
  let key = tag;
  let previous: string;
  // Lower-casing can leave marks that NFKC orders or joins anew; the second round settles it.
  do {
    previous = key;
    key = previous.normalize('NFKC').toLowerCase();
  } while (key !== previous);
  return key;
}

/**
 * The keys of a blog's tags, for `live.tagKeys` and its index (design, section 1).
 *
 * @param tags Tags as written.
 * @returns Their distinct keys, in the order of the tags.
 */
export function tagKeys(tags: readonly string[]): string[] {
  return [...new Set(tags.map(tagKey))];
}

/**
 * Drops tags that differ from an earlier one only in case or width (contract, section 5).
 *
 * @param tags Tags as written, already trimmed.
 * @returns The first spelling of each, as written, in their order.
 */
export function dedupeTags(tags: readonly string[]): string[] {
  const firstByKey = new Map<string, string>();
  for (const tag of tags) {
    const key = tagKey(tag);
    if (!firstByKey.has(key)) {
      firstByKey.set(key, tag);
    }
  }
  return [...firstByKey.values()];
}

/**
 * The words by which similar blogs are found (contract, section 7): of any script, found by
 * Unicode's word borders, or its dictionaries where words are not set apart by blanks.
 *
 * @param text Plain text, such as a title and a description. Only its first 4,000 characters are
 *   read, so the time is bounded.
 * @param max How many words are wanted at most.
 * @returns Distinct words, NFKC and lower case, in order of appearance, without English function
 *   words and, in alphabetic scripts, without words under 3 code points.
 */
export function textWords(text: string, max: number): string[] {
  const words = new Set<string>();
  if (max <= 0) {
    return [];
  }
  const normalized = tagKey(text.slice(0, CHARACTERS_READ_MAX))
    .slice(0, CHARACTERS_READ_MAX)
    .replace(CURLY_APOSTROPHE, "'");
  for (const { segment, isWordLike } of SEGMENTER.segment(normalized)) {
    if (isWordLike === true && isTelling(segment)) {
      words.add(segment);
      if (words.size >= max) {
        break;
      }
    }
  }
  return [...words];
}

function isTelling(word: string): boolean {
  if (STOP_WORDS.has(word)) {
    return false;
  }
  return DENSE_SCRIPT.test(word) || Array.from(word).length >= ALPHABETIC_LENGTH_MIN;
}
