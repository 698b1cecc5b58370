import mongoose, { type mongo } from 'mongoose';
import { built } from '../support/built.ts';

const { wordsIn } = await built('blog/public/search/words/search-words');
const { loadStem } = await built('blog/public/search/index/stemmers');
const { visibleText } = await built('blog/core/text/visible-text');
const { ObjectId } = mongoose.mongo;

/** How many articles contain a word. */
export type WordClass = 'common' | 'medium' | 'rare';

export type WordClasses = Readonly<Record<WordClass, readonly string[]>>;

/** An article of the sample with its words by class. */
export interface SampledArticle {
  readonly title: string;
  readonly words: WordClasses;
}

/** Minimum share of the articles that contain a common word. */
const COMMON_MIN = 0.2;
/** Range of the share of articles that contain a medium word. A rare word occurs in one article of the sample. */
const MEDIUM = [0.001, 0.05] as const;
/** Largest number of words of a class from which searches are drawn. */
const WORDS_MAX = 1_500;

interface StoredArticle {
  readonly _id: mongo.ObjectId;
  readonly text: string;
  readonly live: Readonly<Record<'title' | 'description', string>> & {
    readonly tags: readonly string[];
  };
}

/** Reads articles, and classifies their words by the number of these articles that contain them. */
export async function classifiedArticles(
  db: mongo.Db,
  ids: readonly string[],
): Promise<{ readonly articles: readonly SampledArticle[]; readonly classes: WordClasses }> {
  const projection = { text: 1, 'live.title': 1, 'live.description': 1, 'live.tags': 1 };
  const stored = await db
    .collection<StoredArticle>('blogs')
    .find({ _id: { $in: ids.map((id) => new ObjectId(id)) } }, { projection })
    .toArray();
  const stemOf = await loadStem('en');
  const sample = stored.map((article) => ({
    title: article.live.title,
    words: spellingByStem(article, stemOf),
  }));
  const counts = new Map<string, number>();
  for (const { words } of sample) {
    for (const stem of words.keys()) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  const between = (least: number, most: number) => {
    const stems = [...counts].flatMap(([stem, count]) =>
      count >= least && count <= most ? [stem] : [],
    );
    return new Set(stems.slice(0, WORDS_MAX));
  };
  const { length } = sample;
  return withClasses(sample, {
    common: between(COMMON_MIN * length, length),
    medium: between(Math.max(2, MEDIUM[0] * length), MEDIUM[1] * length),
    rare: between(1, 1),
  });
}

function withClasses(
  sample: readonly { readonly title: string; readonly words: ReadonlyMap<string, string> }[],
  byClass: Readonly<Record<WordClass, ReadonlySet<string>>>,
) {
  const spellings = new Map(sample.flatMap(({ words }) => [...words]));
  const spellingsOf = (stems: Iterable<string>, words: ReadonlyMap<string, string>) =>
    Array.from(stems, (stem) => words.get(stem)).filter((word) => word !== undefined);
  const articles = sample.map(({ title, words }) => {
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

/** @returns the stems of the words of an article, each with one spelling */
function spellingByStem({ text, live }: StoredArticle, stemOf: (word: string) => string) {
  const texts = [live.title, live.tags.join('\n'), live.description, visibleText(text)];
  return new Map(
    Array.from(wordsIn(texts.join('\n\n')), ({ word }) => [stemOf(word), word] as const),
  );
}
