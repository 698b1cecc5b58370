import { tagKey } from '../../scripts/support/articles.ts';
import { pick } from '../data/articles.ts';
import { built } from '../support/built.ts';
import { shuffled, type Random } from '../support/statistics.ts';

const { wordsIn } = await built('blog/public/search/words/search-words');

/** A search, with the articles that are right as its first result. */
export interface Question {
  readonly kind: 'rare words' | 'title in part' | 'tag';
  readonly q: string;
  /** The numbers of the right articles. */
  readonly right: ReadonlySet<number>;
}

/** An article as readers see it. */
export interface PlainArticle {
  readonly title: string;
  readonly tags: readonly string[];
  /** The stems of all words that a search can find, each with one of its spellings. */
  readonly words: ReadonlyMap<string, string>;
}

/** Largest number of articles that contain a rare word. */
const RARE_MAX = 5;
const RARE_LENGTH_MIN = 4;
const TITLE_WORDS_MAX = 8;
/** Minimum number of letters of the last word that remain when a title is cut. */
const CUT_MIN = 3;
const TRIES = 50;

/** @returns at most `count` questions, of the three kinds in turn */
export function questionsOf(
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

/** @returns for each stem, the number of articles that contain it */
function frequenciesOf(articles: readonly PlainArticle[]): ReadonlyMap<string, number> {
  const frequency = new Map<string, number>();
  for (const { words } of articles) {
    for (const stem of words.keys()) frequency.set(stem, (frequency.get(stem) ?? 0) + 1);
  }
  return frequency;
}

/** Asks for two or three words that few articles contain. Each article that contains all of them is right. */
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

/** Asks for the first words of a title and a part of the next. Each article whose title begins with that is right. */
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

/** Asks for a tag. Each article with the tag is right. */
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
