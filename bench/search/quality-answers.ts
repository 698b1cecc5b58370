import { CREDENTIALS, type Call } from '../../scripts/support/own-server.ts';
import type { Article } from '../../scripts/support/articles.ts';
import { built } from '../support/built.ts';
import { shuffled } from '../support/statistics.ts';
import { frequenciesOf, type PlainArticle, type Question } from './quality-questions.ts';

const { cleanHtml } = await built('blog/core/html/clean-html');
const { visibleText } = await built('blog/core/text/visible-text');
const { wordsIn } = await built('blog/public/search/index/search-words');
const { loadStem } = await built('blog/public/search/index/stemmers');

const PUBLISHED_TOGETHER = 4;
const FIRST = 1;
const AMONG = 5;
/** A word is common that stands in so many of the articles. */
const COMMON_MIN = 0.2;
const RESULTS_MAX = 100;

/** A question with its answer. */
export interface Asked {
  readonly question: Question;
  /** The numbers of the articles on the first page, the best first. */
  readonly found: readonly number[];
  readonly isFirst: boolean;
  readonly isAmong: boolean;
}

/** @returns what the program itself knows of the articles */
export async function plainArticles(articles: readonly Article[]): Promise<PlainArticle[]> {
  const stem = await loadStem('en');
  return articles.map(({ title, tags, description, html }) => {
    const text = [title, ...tags, description, visibleText(cleanHtml(html))].join('\n\n');
    const words = new Map(Array.from(wordsIn(text), ({ word }) => [stem(word), word]));
    return { title, tags, words };
  });
}

/** Publishes the articles. @returns a search that answers with their numbers */
export async function publishAll(call: Call, articles: readonly Article[]) {
  const signedIn = await call<{ tokens: { accessToken: string } }>('POST', '/auth/signin/basic', {
    body: CREDENTIALS,
  });
  const token = signedIn.tokens.accessToken;
  const numbers = new Map<string, number>();
  const left = articles.entries();
  const publisher = async () => {
    for (const [number, { html: draftText, ...article }] of left) {
      const body = { ...article, draftText };
      const { _id } = await call<{ _id: string }>('POST', '/blog/author', { token, body });
      await call('PUT', `/blog/author/submit/${_id}`, { token });
      await call('PUT', `/blog/editor/publish/id/${_id}`, { token });
      numbers.set(_id, number);
    }
  };
  await Promise.all(Array.from({ length: PUBLISHED_TOGETHER }, publisher));
  return async (q: string, limit = 10): Promise<number[]> => {
    const query = new URLSearchParams({ q, limit: String(limit) }).toString();
    const { items } = await call<{ items: { _id: string }[] }>('GET', `/blogs/search?${query}`);
    return items.map(({ _id }) => numbers.get(_id) ?? -1);
  };
}

export type Searcher = Awaited<ReturnType<typeof publishAll>>;

export async function ask(search: Searcher, questions: readonly Question[]): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (const question of questions) {
    const found = await search(question.q);
    const isRight = (number: number) => question.right.has(number);
    const [isFirst, isAmong] = [FIRST, AMONG].map((count) => found.slice(0, count).some(isRight));
    asked.push({ question, found, isFirst: isFirst === true, isAmong: isAmong === true });
  }
  return asked;
}

/**
 * Searches for pairs of common words.
 *
 * @returns of each pair, the share of the articles with both, or of a hundred of them, that was found; and
 *   how many others were found
 */
export async function recallOfPairs(
  search: Searcher,
  articles: readonly PlainArticle[],
  count: number,
): Promise<{ readonly pairs: number; readonly recall: number; readonly wrong: number }> {
  const common = Array.from(frequenciesOf(articles)).flatMap(([stem, having]) =>
    having >= COMMON_MIN * articles.length ? [stem] : [],
  );
  const all = common.flatMap((one, at) => common.slice(at + 1).map((other) => [one, other]));
  const spelling = new Map(articles.flatMap(({ words }) => [...words]));
  const shares: number[] = [];
  let wrong = 0;
  for (const stems of shuffled(all)) {
    if (shares.length >= count) break;
    const having = articles.flatMap(({ words }, number) =>
      stems.every((stem) => words.has(stem)) ? [number] : [],
    );
    if (having.length === 0) continue;
    const found = await search(stems.map((stem) => spelling.get(stem)).join(' '), RESULTS_MAX);
    const right = found.filter((number) => having.includes(number)).length;
    shares.push(right / Math.min(RESULTS_MAX, having.length));
    wrong += found.length - right;
  }
  const recall = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  return { pairs: shares.length, recall, wrong };
}
