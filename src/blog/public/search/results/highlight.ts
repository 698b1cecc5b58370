import { visibleText } from '../../../core/text/visible-text.js';
import type { SearchWord, TextRange } from '../words/search-word.js';
import { wordsIn } from '../words/search-words.js';

/** A part of an article as plain text, with the words in it that were searched for. */
export interface Highlight {
  readonly text: string;
  /** The found words, in order. */
  readonly ranges: readonly TextRange[];
}

/** A part of a text that matches searched words. */
export interface Hit extends TextRange {
  /** The indexes of the searched words. */
  readonly terms: readonly number[];
}

/** Finds the searched words among the words of articles. */
export interface WordMatcher {
  /** The codes of the letters with which ASCII words begin that may match; null if all may. */
  readonly beginnings: ReadonlySet<number> | null;
  /** @returns what matches: the word of an article, or all of the words with which it is linked */
  readonly match: (word: SearchWord) => Hit | null;
}

/** Longest passage, in UTF-16 code units. */
const PASSAGE_MAX = 240;

/** Longest part of a passage before the first found word, in UTF-16 code units. */
const BEFORE_MAX = 60;

/**
 * Number of characters of an article that are read for a passage. A search may have found a word
 * beyond them.
 */
export const HTML_READ_MAX = 30_000;

/**
 * Lengths of the beginnings of an article that are read in turn, in characters. The next length is
 * tried if an expected word was not found.
 */
const READ_STEPS = [4_000, 12_000, HTML_READ_MAX];

/** Number of found words after which the rest of a text is not read. */
const HITS_MAX = 100;

/** Marks the found words of a plain text, which is returned as a whole. */
export function highlightText(text: string, matcher: WordMatcher): Highlight {
  return { text, ranges: hitsIn(text, matcher, Infinity).map((hit) => rangeOf(hit, 0)) };
}

/**
 * The passage that contains more of the searched words than any other; the beginning of the article
 * if none of them is found.
 *
 * @param html what `cleanHtml` returned, or its beginning
 * @param expected how many of the searched words the text certainly has; once they are found, the
 *   rest of the text is not read
 */
export function highlightPassage(html: string, matcher: WordMatcher, expected: number): Highlight {
  const { text, hits, isCut } = readUntilFound(html, matcher, Math.max(1, expected));
  const passage = passageOf(text, bestOf(hits));
  const inside = hits.filter(({ start, end }) => start >= passage.start && end <= passage.end);
  const before = passage.start > 0 ? '… ' : '';
  const after = isCut || passage.end < text.length ? ' …' : '';
  const shift = before.length - passage.start;
  return {
    text: before + text.slice(passage.start, passage.end) + after,
    ranges: inside.map((hit) => rangeOf(hit, shift)),
  };
}

function rangeOf({ start, end }: TextRange, shift: number): TextRange {
  return { start: start + shift, end: end + shift };
}

/**
 * Reads longer and longer beginnings of an article, until all expected words are found. Most words
 * stand near the beginning. Each step goes on where the last one has ended.
 */
function readUntilFound(
  html: string,
  matcher: WordMatcher,
  expected: number,
): { readonly text: string; readonly hits: readonly Hit[]; readonly isCut: boolean } {
  let read = { text: '', hits: [] as readonly Hit[], isCut: false };
  for (const length of READ_STEPS) {
    const text = visibleText(beginningOf(html, length));
    // A step that cuts an element in two may have shown what the next step hides.
    const from = text.startsWith(read.text) ? wordsEndIn(read.text) : 0;
    const known = read.hits.filter(({ end }) => end <= from);
    const hits = hitsIn(text, matcher, expected, { from, known });
    read = { text, hits, isCut: html.length >= length };
    const found = new Set(read.hits.flatMap(({ terms }) => terms));
    if (!read.isCut || found.size >= expected || hits.length >= HITS_MAX) break;
  }
  return read;
}

/** @returns the last position in the beginning of a text that is in no word and no linked words */
function wordsEndIn(text: string): number {
  return text.lastIndexOf('. ') + 1;
}

/** Cuts long HTML between two tags, so that `visibleText` can read it. */
function beginningOf(html: string, length: number): string {
  if (html.length < length) return html;
  const tag = html.lastIndexOf('<', length);
  // A text that is one long element has no tag to cut at, so it is cut at a blank, which is never
  // inside a character reference.
  return html.slice(0, tag > 0 ? tag : Math.max(0, html.lastIndexOf(' ', length)));
}

/** @param read how far the text was read, and the hits until there, fewer than expected */
function hitsIn(
  text: string,
  matcher: WordMatcher,
  expected: number,
  read: { readonly from: number; readonly known: readonly Hit[] } = { from: 0, known: [] },
): Hit[] {
  const hits = [...read.known];
  const found = new Set(hits.flatMap(({ terms }) => terms));
  let foundAllAt = Infinity;
  for (const word of wordsIn(text, read.from, matcher.beginnings)) {
    if (word.start > foundAllAt + PASSAGE_MAX || hits.length >= HITS_MAX) break;
    const hit = matcher.match(word);
    if (!hit) continue;
    const last = hits.at(-1);
    // The words of `Node.js` match `nodejs` one after the other.
    if (last && hit.start < last.end) hits[hits.length - 1] = merged(last, hit);
    else hits.push(hit);
    for (const term of hit.terms) found.add(term);
    if (found.size >= expected) foundAllAt = Math.min(foundAllAt, word.start);
  }
  return hits;
}

/** @returns both parts together, which overlap */
export function merged(one: Hit, other: Hit): Hit {
  return {
    start: Math.min(one.start, other.start),
    end: Math.max(one.end, other.end),
    terms: [...one.terms, ...other.terms],
  };
}

/** @returns the first hit of the group of neighbouring hits with the most different words */
function bestOf(hits: readonly Hit[]): Hit | undefined {
  let best: Hit | undefined;
  let most = 0;
  for (const [index, first] of hits.entries()) {
    const nearTerms = new Set<number>();
    for (let at = index; at < hits.length; at += 1) {
      const hit = hits[at];
      if (!hit || hit.end - first.start > PASSAGE_MAX - BEFORE_MAX) break;
      for (const term of hit.terms) nearTerms.add(term);
    }
    if (nearTerms.size > most) [best, most] = [first, nearTerms.size];
  }
  return best;
}

/** The bounds of the passage around a hit. They are between two words, where the text has blanks. */
function passageOf(text: string, first: Hit | undefined): { start: number; end: number } {
  const wantedStart = Math.max(0, (first?.start ?? 0) - BEFORE_MAX);
  const start =
    wantedStart === 0 ? 0 : betweenWords(text, wantedStart, first?.start ?? wantedStart);
  const wantedEnd = start + PASSAGE_MAX;
  if (wantedEnd >= text.length) return { start, end: text.length };
  const blank = text.lastIndexOf(' ', wantedEnd);
  return {
    start,
    end: blank > (first?.end ?? start) ? blank : outsideSurrogatePair(text, wantedEnd),
  };
}

function betweenWords(text: string, from: number, until: number): number {
  const blank = text.indexOf(' ', from);
  return blank >= 0 && blank < until ? blank + 1 : outsideSurrogatePair(text, from);
}

/** Adjusts a position so that it is not in the middle of a surrogate pair. */
function outsideSurrogatePair(text: string, at: number): number {
  return /^[\udc00-\udfff]/.test(text.slice(at, at + 1)) ? at - 1 : at;
}
