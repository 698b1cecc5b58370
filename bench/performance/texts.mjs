import { cleanHtml } from '../../dist/blog/html/clean-html.js';
import { readArticles } from '../../scripts/support/articles.ts';
import { shuffled } from './load/shuffle.mjs';
import { BUILT_IN_ARTICLES } from './seed.mjs';
import { blocksOf } from './world/articles.mjs';

/** A text may be longer than asked for by no more than one of them. */
const BLOCK_MAX = 2_000;

/**
 * Texts to be written, put together from blocks of real articles as they came: not cleaned yet.
 *
 * @param bytes how long a text is, at most
 * @returns each as `html`, with what cleaning must leave of it as `cleaned`
 */
export function textsOf({ articles = BUILT_IN_ARTICLES }, { count, bytes }) {
  const blocks = readArticles(articles)
    .flatMap(({ html }) => blocksOf(html))
    .filter((block) => block.length <= BLOCK_MAX);
  return Array.from({ length: count }, (_, number) => {
    const order = shuffled(blocks, number + 1);
    const parts = [`<h2>Text ${number}</h2>`];
    for (let size = parts[0].length, at = 0; size < bytes - BLOCK_MAX; at += 1) {
      const block = order[at % order.length];
      parts.push(block);
      size += block.length + 1;
    }
    const html = parts.join('\n');
    return { html, cleaned: cleanHtml(html) };
  });
}
