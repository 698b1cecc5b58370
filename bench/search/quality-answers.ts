import type { Call } from '../../scripts/support/own-server.ts';
import { signInAdmin, submitAndPublish } from '../support/newsroom.ts';
import type { Article } from '../../scripts/support/articles.ts';
import { built } from '../support/built.ts';
import type { PlainArticle, Question } from './quality-questions.ts';

const { cleanHtml } = await built('blog/core/html/clean-html');
const { visibleText } = await built('blog/core/text/visible-text');
const { wordsIn } = await built('blog/public/search/words/search-words');
const { loadStem } = await built('blog/public/search/index/stemmers');

const PUBLISHERS = 4;

/** A question with its answer. */
export interface Asked {
  readonly question: Question;
  /** The numbers of the articles on the first page, in the order of the results. */
  readonly found: readonly number[];
  /** Whether the first result is a right article. */
  readonly isFirst: boolean;
  /** Whether a right article is among the first five results. */
  readonly isAmongFive: boolean;
}

/** @returns the articles with their words, which are found here without the server's index */
export async function plainArticles(articles: readonly Article[]): Promise<PlainArticle[]> {
  const stem = await loadStem('en');
  return articles.map(({ title, tags, description, html }) => {
    const text = [title, ...tags, description, visibleText(cleanHtml(html))].join('\n\n');
    const words = new Map(Array.from(wordsIn(text), ({ word }) => [stem(word), word]));
    return { title, tags, words };
  });
}

/** Publishes the articles. @returns a function that searches, and returns the numbers of the found articles */
export async function publishAll(call: Call, articles: readonly Article[]) {
  const admin = await signInAdmin(call);
  const tokens = { author: admin, admin };
  const numbers = new Map<string, number>();
  const remaining = articles.entries();
  const publisher = async () => {
    for (const [number, { html: draftText, ...article }] of remaining) {
      const body = { ...article, draftText };
      const blog = await call<{ _id: string }>('POST', '/blog/author', { token: admin, body });
      await submitAndPublish(call, tokens, blog);
      numbers.set(blog._id, number);
    }
  };
  await Promise.all(Array.from({ length: PUBLISHERS }, publisher));
  return async (q: string): Promise<number[]> => {
    const query = new URLSearchParams({ q, limit: '10' }).toString();
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
    const [isFirst, isAmongFive] = [1, 5].map((top) => found.slice(0, top).some(isRight));
    asked.push({ question, found, isFirst: isFirst === true, isAmongFive: isAmongFive === true });
  }
  return asked;
}
