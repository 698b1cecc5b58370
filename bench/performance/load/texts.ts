import { readArticles, SAMPLE_ARTICLES } from '../../../scripts/support/articles.ts';
import { built } from '../../support/built.ts';
import { cycled, shuffled } from '../../support/statistics.ts';
import { blocksOf } from '../../data/articles.ts';

/** Longest block in bytes. A text ends with the first block after which the next might make it too long. */
const BLOCK_MAX = 2_000;

export interface Text {
  readonly html: string;
  /** What cleaning makes of `html`. */
  readonly cleaned: string;
}

const { cleanHtml } = await built('blog/core/html/clean-html');

/**
 * Makes texts from blocks of real articles, which are not cleaned yet.
 * @param bytes largest size of a text in bytes
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
