import { tagKey } from '../../scripts/support/articles.ts';
import { pick } from '../data/articles.ts';
import { built } from '../support/built.ts';
import { shuffled, type Random } from '../support/statistics.ts';

const { wordsIn } = await built('blog/public/search/index/search-words');

/** A search and the articles that are a right first result. */
export interface Question {
  readonly kind: 'rare words' | 'title in part' | 'tag';
  readonly q: string;
  /** The numbers of those articles. */
  readonly right: ReadonlySet<number>;
}

/** An article as readers see it. */
export interface PlainArticle {
  readonly title: string;
  readonly tags: readonly string[];
  /** The stems of all searched words, each with one spelling. */
  readonly words: ReadonlyMap<string, string>;
}

/** Largest number of articles in which a rare word stands. */
const RARE_MAX = 5;
const RARE_LENGTH_MIN = 4;
const TITLE_WORDS_MAX = 8;
/** Minimum of letters that are typed of the last word of a title. */
const CUT_MIN = 3;
const TRIES = 50;

/** @returns this number of questions, of each kind in turn */
export function askedOf(
  articles: readonly PlainArticle[],
  { random, count }: { readonly random: Random; readonly count: number },
): Question[] {
  const frequency = frequenciesOf(articles);
  const makers = [
    () => rareWords(articles, frequency, random),
    () => titleInPart(articles, random),
    () => oneTag(articles, random),
  ];
  return Array.from({ length: count }, (_, at) => {
    const make = makers[at % makers.length];
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const question = make?.();
      if (question) return question;
    }
    return [];
  }).flat();
}

/** The number of articles that have each stem. */
function frequenciesOf(articles: readonly PlainArticle[]): ReadonlyMap<string, number> {
  const frequency = new Map<string, number>();
  for (const { words } of articles) {
    for (const stem of words.keys()) frequency.set(stem, (frequency.get(stem) ?? 0) + 1);
  }
  return frequency;
}

/** A question of two or three words that few articles have. Each article that has all of them is right. */
function rareWords(
  articles: readonly PlainArticle[],
  frequency: ReadonlyMap<string, number>,
  random: Random,
): Question | null {
  const { words } = pick(random, articles);
  const rare = [...words].filter(
    ([stem, word]) => (frequency.get(stem) ?? 0) <= RARE_MAX && word.length >= RARE_LENGTH_MIN,
  );
  const count = 2 + Math.floor(random() * 2);
  const drawn = shuffled(rare, Math.floor(random() * 1e6)).slice(0, count);
  if (drawn.length < count) return null;
  const right = numbersOf(articles, (other) => drawn.every(([stem]) => other.words.has(stem)));
  return { kind: 'rare words', q: drawn.map(([, word]) => word).join(' '), right };
}

/** A question of a title's first words and a part of the next. Each article whose title begins so is right. */
function titleInPart(articles: readonly PlainArticle[], random: Random): Question | null {
  const { title } = pick(random, articles);
  const words = [...wordsIn(title)].slice(0, TITLE_WORDS_MAX);
  const last = words[Math.floor(words.length / 2 + (random() * words.length) / 2)];
  if (words.length < 2 || last === undefined) return null;
  const length = last.end - last.start;
  const typed = Math.max(CUT_MIN, Math.ceil(length / 2));
  const q = title.slice(0, last.start + Math.min(length, typed));
  const right = numbersOf(articles, (other) =>
    other.title.toLowerCase().startsWith(q.toLowerCase()),
  );
  return { kind: 'title in part', q, right };
}

/** A question of a tag: each article with the tag is right. */
function oneTag(articles: readonly PlainArticle[], random: Random): Question | null {
  const { tags } = pick(random, articles);
  if (tags.length === 0) return null;
  const q = pick(random, tags);
  const right = numbersOf(articles, (other) => other.tags.some((tag) => tagKey(tag) === tagKey(q)));
  return { kind: 'tag', q, right };
}

function numbersOf(
  articles: readonly PlainArticle[],
  isRight: (article: PlainArticle) => boolean,
): ReadonlySet<number> {
  return new Set(articles.flatMap((article, number) => (isRight(article) ? [number] : [])));
}
