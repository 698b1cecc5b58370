import type { SearchLanguage } from '../../../../platform/config/values/search-language.js';

/** Reduces a word to its stem, so that `publishing` finds `published`. */
export type Stem = (word: string) => string;

/**
 * The loaders of the stemmers. This file imports no other source file at run time, because a worker
 * thread runs it.
 */
const STEMMERS = {
  ar: () => import('@orama/stemmers/arabic'),
  bg: () => import('@orama/stemmers/bulgarian'),
  da: () => import('@orama/stemmers/danish'),
  de: () => import('@orama/stemmers/german'),
  el: () => import('@orama/stemmers/greek'),
  en: () => import('@orama/stemmers/english'),
  es: () => import('@orama/stemmers/spanish'),
  fi: () => import('@orama/stemmers/finnish'),
  fr: () => import('@orama/stemmers/french'),
  ga: () => import('@orama/stemmers/irish'),
  hi: () => import('@orama/stemmers/indian'),
  hu: () => import('@orama/stemmers/hungarian'),
  hy: () => import('@orama/stemmers/armenian'),
  id: () => import('@orama/stemmers/indonesian'),
  it: () => import('@orama/stemmers/italian'),
  lt: () => import('@orama/stemmers/lithuanian'),
  ne: () => import('@orama/stemmers/nepali'),
  nl: () => import('@orama/stemmers/dutch'),
  no: () => import('@orama/stemmers/norwegian'),
  pt: () => import('@orama/stemmers/portuguese'),
  ro: () => import('@orama/stemmers/romanian'),
  ru: () => import('@orama/stemmers/russian'),
  sr: () => import('@orama/stemmers/serbian'),
  sv: () => import('@orama/stemmers/swedish'),
  ta: () => import('@orama/stemmers/tamil'),
  tr: () => import('@orama/stemmers/turkish'),
  uk: () => import('@orama/stemmers/ukrainian'),
} as const satisfies Record<
  Exclude<SearchLanguage, 'none'>,
  () => Promise<{ readonly stemmer: Stem }>
>;

/** The languages whose stemmers also change the beginning of a word. */
const WITH_PREFIXES: ReadonlySet<SearchLanguage> = new Set(['ar', 'ga', 'id', 'sr']);

const LETTERS = /^\p{L}+$/u;

/** Number of words that are remembered with their stems: about 3 MB. */
const REMEMBERED_MAX = 20_000;

const loaded = new Map<SearchLanguage, Promise<Stem>>();

/** @returns the stemmer of the language; it changes only words that consist of letters */
export async function loadStem(language: SearchLanguage): Promise<Stem> {
  let stem = loaded.get(language);
  if (!stem) loaded.set(language, (stem = load(language)));
  return stem;
}

/** Whether every stem begins like its words, with the same UTF-16 code unit. */
export function keepsFirstLetter(language: SearchLanguage): boolean {
  return !WITH_PREFIXES.has(language);
}

async function load(language: SearchLanguage): Promise<Stem> {
  if (language === 'none') return (word) => word;
  const { stemmer } = await STEMMERS[language]();
  return remembering((word) => {
    if (!LETTERS.test(word)) return word;
    try {
      // Some stemmers return '' for a word that consists of an ending.
      return stemmer(word) || word;
    } catch {
      // The Bulgarian stemmer throws for a word whose last letters it would replace.
      return word;
    }
  });
}

/**
 * Remembers stems in a plain map, which is emptied when it is full: a look-up in an LRU cache takes
 * ten times as long.
 */
function remembering(stem: Stem): Stem {
  const stems = new Map<string, string>();
  return (word) => {
    const known = stems.get(word);
    if (known !== undefined) return known;
    const found = stem(word);
    if (stems.size >= REMEMBERED_MAX) stems.clear();
    stems.set(word, found);
    return found;
  };
}
