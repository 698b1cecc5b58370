import mongoose, { type mongo } from 'mongoose';
import { built } from '../support/built.ts';

const { PLACES, placedStem } = await built('blog/public/search/index/article-words.worker');
const { wordsIn } = await built('blog/public/search/index/search-words');
const { loadStem } = await built('blog/public/search/index/stemmers');
const { visibleText } = await built('blog/core/text/visible-text');
const { ObjectId } = mongoose.mongo;

/** How many articles have a word. */
export type WordClass = 'common' | 'medium' | 'rare';

export type WordClasses = Readonly<Record<WordClass, readonly string[]>>;

/** An article of the sample with its words by class. */
export interface SampledArticle {
  readonly title: string;
  readonly words: WordClasses;
}

/** The articles that have a common word, of all; and a medium one. */
const COMMON_MIN = 0.2;
const MEDIUM = [0.001, 0.05] as const;
/** The articles that have a rare word, at most. */
const RARE_MAX = 50;
/** Words of a class that are counted and used: the index has many keys of a medium word. */
const WORDS_MAX = { medium: 300, rare: 1_500 };

interface StoredArticle {
  readonly _id: mongo.ObjectId;
  readonly text: string;
  readonly live: Readonly<Record<'title' | 'description', string>> & {
    readonly tags: readonly string[];
  };
}

/** Reads articles, and classes their words: by the share of them, and by the index of all articles. */
export async function classifiedArticles(
  db: mongo.Db,
  { ids, count }: { readonly ids: readonly string[]; readonly count: number },
): Promise<{ readonly articles: readonly SampledArticle[]; readonly classes: WordClasses }> {
  const projection = { text: 1, 'live.title': 1, 'live.description': 1, 'live.tags': 1 };
  const stored = await db
    .collection<StoredArticle>('blogs')
    .find({ _id: { $in: ids.map((id) => new ObjectId(id)) } }, { projection })
    .toArray();
  const stemOf = await loadStem('en');
  const read = stored.map((article) => ({
    title: article.live.title,
    words: spelled(article, stemOf),
  }));
  const samples = new Map<string, number>();
  for (const { words } of read) {
    for (const stem of words.keys()) samples.set(stem, (samples.get(stem) ?? 0) + 1);
  }
  const shares = Array.from(samples, ([stem, sampled]) => [stem, sampled / read.length] as const);
  const between = (least: number, most: number) =>
    shares.flatMap(([stem, share]) => (share >= least && share <= most ? [stem] : []));
  // The index says it more exactly where few articles of the sample have a word.
  const counted = async (
    stems: readonly string[],
    [least, most]: readonly [number, number],
    wordsMax: number,
  ) => {
    const some = stems.slice(0, wordsMax);
    const counts = await Promise.all(some.map((stem) => articlesWith(db, stem)));
    return some.filter((_, at) => (counts[at] ?? 0) >= least && (counts[at] ?? 0) <= most);
  };
  const byClass: Record<WordClass, ReadonlySet<string>> = {
    common: new Set(between(COMMON_MIN, 1)),
    medium: new Set(
      await counted(between(...MEDIUM), [MEDIUM[0] * count, MEDIUM[1] * count], WORDS_MAX.medium),
    ),
    rare: new Set(await counted(between(0, 1.5 / read.length), [1, RARE_MAX], WORDS_MAX.rare)),
  };
  return withClasses(read, byClass);
}

function withClasses(
  read: readonly { readonly title: string; readonly words: ReadonlyMap<string, string> }[],
  byClass: Readonly<Record<WordClass, ReadonlySet<string>>>,
) {
  const spellings = new Map(read.flatMap(({ words }) => [...words]));
  const spellingsOf = (stems: Iterable<string>, words: ReadonlyMap<string, string>) =>
    Array.from(stems, (stem) => words.get(stem)).filter((word) => word !== undefined);
  const articles = read.map(({ title, words }) => {
    const of = (name: WordClass) =>
      spellingsOf(
        [...words.keys()].filter((stem) => byClass[name].has(stem)),
        words,
      );
    return { title, words: { common: of('common'), medium: of('medium'), rare: of('rare') } };
  });
  const all = (name: WordClass) => spellingsOf(byClass[name], spellings);
  return {
    articles,
    classes: { common: all('common'), medium: all('medium'), rare: all('rare') },
  };
}

/** @returns the words of an article, one spelling of each, by their stems */
function spelled({ text, live }: StoredArticle, stemOf: (word: string) => string) {
  const texts = [live.title, live.tags.join('\n'), live.description, visibleText(text)];
  return new Map(
    Array.from(wordsIn(texts.join('\n\n')), ({ word }) => [stemOf(word), word] as const),
  );
}

/** How many articles have the word, by the index. */
async function articlesWith(db: mongo.Db, stem: string): Promise<number> {
  const counts = await Promise.all(
    PLACES.map((_, place) =>
      db.command({ count: 'blogs', query: { 'live.words': placedStem(place, stem) } }),
    ),
  );
  return counts.reduce((sum, { n }) => sum + (n as number), 0);
}
