import { built } from '../support/built.ts';
import { shuffled, type Random } from '../support/statistics.ts';
import { pick } from '../data/articles.ts';
import type { SampledArticle, WordClass, WordClasses } from './word-classes.ts';

const { wordsIn } = await built('blog/public/search/words/search-words');

/** A search of the measurement. */
export interface Search {
  readonly kind: string;
  readonly path: string;
}

interface DrawSource {
  readonly random: Random;
  readonly articles: readonly SampledArticle[];
  readonly classes: WordClasses;
  /** The tags, the most frequent first. */
  readonly tags: readonly string[];
  readonly authors: readonly string[];
}

/** The kinds of searches, with the classes of their words. The number of words is drawn from the range `count`. */
const KINDS: readonly {
  readonly name: string;
  readonly words: readonly WordClass[];
  readonly count: readonly [least: number, most: number];
  readonly hasFilter?: true;
}[] = [
  { name: '1 rare word', words: ['rare'], count: [1, 1] },
  { name: '2 to 3 rare words', words: ['rare'], count: [2, 3] },
  { name: '1 medium word', words: ['medium'], count: [1, 1] },
  { name: '2 to 4 medium words', words: ['medium'], count: [2, 4] },
  { name: '1 common word', words: ['common'], count: [1, 1] },
  { name: '2 to 5 common words', words: ['common'], count: [2, 5] },
  { name: '2 to 5 words, rare and common', words: ['rare', 'common'], count: [2, 5] },
  { name: '2 to 5 words of all classes', words: ['rare', 'medium', 'common'], count: [2, 5] },
  {
    name: '1 to 5 words, tag, author or time',
    words: ['rare', 'medium', 'common'],
    count: [1, 5],
    hasFilter: true,
  },
];

/** Number of characters of a title that are typed before the first search. */
const TYPED_MIN = 3;
const TYPED_WORDS_MAX = 8;
/** Number of attempts to draw a new search, and to draw its words. There are few common words, so attempts may fail. */
const TRIES = 20;
/** Share of searches whose words all come from one article; those of the other searches come from any article. */
const ONE_ARTICLE_SHARE = 0.7;
const FROM_TIMES = ['2016-01-01', '2020-06-01', '2023-09-15', '2025-10-01'].map(
  (day) => `${day}T00:00:00Z`,
);

/** @returns about `count` different searches, equally many of each kind if there are enough, in random order */
export function drawSearches(drawing: DrawSource, count: number): Search[] {
  const seen = new Set<string>();
  const each = Math.ceil(count / (KINDS.length + 1));
  const drawn = KINDS.flatMap((kind) =>
    Array.from({ length: each }, () => ({ kind: kind.name, ...newSearch(kind, drawing, seen) })),
  );
  const typed = typing(drawing, each, seen);
  return shuffled([...drawn, ...typed].filter((search): search is Search => 'path' in search));
}

function newSearch(
  kind: (typeof KINDS)[number],
  drawing: DrawSource,
  seen: Set<string>,
): Partial<Search> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const words = drawWords(kind, drawing);
    const query = { q: words.join(' '), ...(kind.hasFilter ? drawFilter(drawing) : {}) };
    const path = pathOf(query);
    if (words.length === 0 || seen.has(path)) continue;
    seen.add(path);
    return { path };
  }
  return {};
}

function drawWords(
  { words, count: [least, most] }: (typeof KINDS)[number],
  { random, articles, classes }: DrawSource,
): string[] {
  const count = least + Math.floor(random() * (most - least + 1));
  const from: WordClasses = random() < ONE_ARTICLE_SHARE ? pick(random, articles).words : classes;
  const drawn = new Set<string>();
  // The words come from the classes in turn, so that each class occurs if it has a word.
  for (let attempt = 0; drawn.size < count && attempt < TRIES; attempt += 1) {
    const list = from[words[attempt % words.length] as WordClass];
    if (list.length > 0) drawn.add(pick(random, list));
  }
  return drawn.size < least ? [] : shuffled([...drawn], Math.floor(random() * 1_000));
}

function drawFilter({ random, tags, authors }: DrawSource): Record<string, string> {
  const filters = [
    () => ({ tag: tags[0] ?? 'node' }),
    () => ({ tag: pick(random, tags) }),
    () => ({ author: pick(random, authors) }),
    () => ({ from: pick(random, FROM_TIMES) }),
  ];
  return pick(random, filters)();
}

/** @returns the searches that a site sends while somebody types a title letter by letter */
function typing({ random, articles }: DrawSource, count: number, seen: Set<string>): Search[] {
  const searches: Search[] = [];
  for (const { title } of shuffled(articles, Math.floor(random() * 1_000))) {
    for (let length = TYPED_MIN; length <= title.length; length += 1) {
      const typed = title.slice(0, length);
      if ([...wordsIn(typed)].length > TYPED_WORDS_MAX) break;
      const path = pathOf({ q: typed });
      if (typed.endsWith(' ') || seen.has(path)) continue;
      seen.add(path);
      searches.push({ kind: 'as you type', path });
      if (searches.length >= count) return searches;
    }
  }
  return searches;
}

function pathOf(query: Readonly<Record<string, string>>): string {
  return `/blogs/search?${new URLSearchParams({ ...query, limit: '10' }).toString()}`;
}
