import {
  folded,
  untilStable,
  withoutInvisible,
  withSingleBlanks,
} from '../../../platform/text/characters.js';

/**
 * Version of the rules by which slugs, tag keys and words are made. A change of the rules increments
 * it, so that a start migrates the blogs that are stored.
 */
export const TEXT_VERSION = 2;

/** The locale is fixed, so that the words of a text do not depend on the machine. */
const SEGMENTER = new Intl.Segmenter('en', { granularity: 'word' });

/**
 * Shortest kept word of an alphabetic script, in code points: shorter ones (of, is, le, в) say
 * little about the subject of a text.
 */
const ALPHABETIC_LENGTH_MIN = 3;

/** Scripts in which one or two characters are a whole word. */
const DENSE_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** English function words of three letters or more; shorter words are left out anyway. */
const STOP_WORDS = new Set(
  (
    'about after all also and any are because been before being between both but can could did ' +
    'does doing each few for from had has have having her here his how into its itself just may ' +
    'more most much not now off once one only other our out over own same she should some such ' +
    'than that the their them then there these they this those through too under until upon use ' +
    'using very was were what when where which while who why will with would you your'
  ).split(' '),
);

/**
 * Number of characters that are read. The limit applies before NFKC and after it, because NFKC can
 * turn one character into 18. A title and a description together stay below the limit.
 */
const CHARACTERS_READ_MAX = 4_000;

const CURLY_APOSTROPHE = /\u2019/g;

/**
 * The key by which tags are matched. Tags that look the same have the same key: it has no case, no
 * characters that show nothing, and one blank for each run of blanks. NFKC makes full-width letters
 * and ligatures equal to plain letters.
 *
 * @param tag A tag as written.
 * @returns The key. A key is its own key.
 */
export function tagKey(tag: string): string {
  // Each step can make work for another: lower case, for example, changes the order of marks.
  return untilStable(tag, (key) =>
    folded(visibleCharacters(withSingleBlanks(key).normalize('NFKC'))).trim(),
  );
}

/** The flags of England, Scotland and Wales, which differ in characters that show nothing alone. */
const TAGGED_FLAG = /(\p{RGI_Emoji_Tag_Sequence})/v;

function visibleCharacters(text: string): string {
  const parts = text.split(TAGGED_FLAG);
  return parts.map((part) => (TAGGED_FLAG.test(part) ? part : withoutInvisible(part))).join('');
}

/** The key that versions stored which did not drop invisible characters and repeated blanks. */
export function earlierTagKey(tag: string): string {
  return untilStable(tag.trim(), (key) => key.normalize('NFKC').toLowerCase());
}

/**
 * The keys under which blogs with a tag may be stored: the present one, and that of blogs which an
 * earlier version has stored and which were not migrated yet.
 *
 * @param requested what `earlierTagKey` returned for the tag of a request
 */
export function storedTagKeys(requested: string): string[] {
  return [...new Set([tagKey(requested), requested])];
}

/**
 * The keys of a blog's tags, which are stored as `tagKeys`.
 *
 * @param tags Tags as written.
 * @returns Their distinct keys, in the order of the tags.
 */
export function tagKeys(tags: readonly string[]): string[] {
  return [...new Set(tags.map(tagKey))];
}

/**
 * Removes tags that have the same key as an earlier tag.
 *
 * @param tags Tags as written, already trimmed.
 * @returns The first spelling of each tag, as written, in the given order.
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
 * The words by which similar blogs are found. `Intl.Segmenter` finds the words of any script,
 * including scripts without blanks between words.
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
    if (isWordLike === true && isSignificant(segment)) {
      words.add(segment);
      if (words.size >= max) {
        break;
      }
    }
  }
  return [...words];
}

function isSignificant(word: string): boolean {
  if (STOP_WORDS.has(word)) {
    return false;
  }
  return DENSE_SCRIPT.test(word) || Array.from(word).length >= ALPHABETIC_LENGTH_MIN;
}
