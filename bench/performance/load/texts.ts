import { readArticles, SAMPLE_ARTICLES } from '../../../scripts/support/articles.ts';
import { built } from '../../support/built.ts';
import { cycled, shuffled } from '../../support/statistics.ts';
import { blocksOf } from '../../data/articles.ts';

/** Longest block in bytes: a text may be longer than asked for by one block. */
const BLOCK_MAX = 2_000;

export interface Text {
  readonly html: string;
  /** The text that cleaning must leave. */
  readonly cleaned: string;
}

const { cleanHtml } = await built('blog/core/html/clean-html');

/**
 * Texts to be written, made of blocks of real articles in their original form: not cleaned yet.
 * @param bytes longest text in bytes
 */
export function textsOf(
  { articles = SAMPLE_ARTICLES }: { articles?: string | undefined },
  { count, bytes }: { count: number; bytes: number },
): Text[] {
  const blocks = readArticles(articles)
    .flatMap(({ html }) => blocksOf(html))
    .filter((block) => block.length <= BLOCK_MAX);
  return Array.from({ length: count }, (_, number) => {
    const order = shuffled(blocks, number + 1);
    let html = `<h2>Text ${number}</h2>`;
    for (let at = 0; html.length < bytes - BLOCK_MAX; at += 1) html += `\n${cycled(order, at)}`;
    return { html, cleaned: cleanHtml(html) };
  });
}
