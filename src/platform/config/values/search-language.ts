/**
 * The values of SEARCH_LANGUAGE: `none`, or the ISO 639-1 code of a language with a stemmer. With `none`,
 * a search compares whole words, which suits articles in several languages.
 */
export const SEARCH_LANGUAGES = [
  'none',
  'ar',
  'bg',
  'da',
  'de',
  'el',
  'en',
  'es',
  'fi',
  'fr',
  'ga',
  'hi',
  'hu',
  'hy',
  'id',
  'it',
  'lt',
  'ne',
  'nl',
  'no',
  'pt',
  'ro',
  'ru',
  'sr',
  'sv',
  'ta',
  'tr',
  'uk',
] as const;

export type SearchLanguage = (typeof SEARCH_LANGUAGES)[number];
