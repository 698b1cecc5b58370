import { parseFragment, serializeOuter } from 'parse5';
import type { Article } from '../../scripts/support/articles.ts';
import { built, type CleanHtml } from '../support/built.ts';
import { cycled, randomOf, shuffled, type Random } from '../support/statistics.ts';

const { cleanHtml, HTML_VERSION } = await built('blog/core/html/clean-html');
const { slugFromTitle } = await built('blog/core/text/slug');
const { textWords } = await built('blog/core/text/words');
const { toWorkingCopy } = await built('blog/core/blog-fields');

/** The tag of 30 % of the articles. */
const COMMON_TAG = 'node';
const COMMON_SHARE = 0.3;
const TAG_COUNT = 2_000;
/** Offset for `zipf`. With it about 4 % of the articles have the most frequent of the other tags. */
const TAG_OFFSET = 10;
const FULL_VOCABULARY = 20_000;
const WORD_OFFSET = 50;
const IMAGE_SHARE = 0.7;

/** Makes the working copy of an article, as the server stores it. @param number number of the article, from 0 */
export type MakeArticle = (number: number) => {
  readonly slug: string;
  readonly tagKeys: readonly string[];
} & Readonly<Record<'title' | 'description' | 'draftText', string>> & {
    readonly tags: readonly string[];
  };

/**
 * Makes any number of articles from a few real ones. A text consists of random paragraphs, code and tables of the
 * real articles. A title consists of a real title and random words. The distribution of the tags is skewed.
 * @param textBytes approximate length of a text in bytes
 * @param moreBlocks HTML blocks that are added to each text
 */
export function articleMaker(
  base: readonly Article[],
  {
    textBytes,
    seed,
    moreBlocks = () => [],
  }: { textBytes: number; seed: number; moreBlocks?: (() => string[]) | undefined },
): MakeArticle {
  const random = randomOf(seed);
  const sources = base.map(sourceOf);
  const blocks = sources
    .flatMap((source) => source.blocks)
    .filter((block) => Buffer.byteLength(block) <= textBytes / 2);
  const vocabulary = vocabularyOf(base, seed);
  const rareTags = vocabulary.slice(-TAG_COUNT).filter((word) => word !== COMMON_TAG);
  const drawTag = zipf(random, rareTags, TAG_OFFSET);
  const drawWord = zipf(random, vocabulary, WORD_OFFSET);
  const words = (count: number) => Array.from({ length: count }, drawWord).join(' ');

  return (number) => {
    const source = pick(random, sources);
    const tagCount = 1 + Math.floor(random() * 3);
    const fields = {
      title: `${source.title}: ${words(2)}`,
      description: `${source.description} ${words(4)}`,
      draftText: textOf(blocks, { textBytes, moreBlocks }, number, random),
      slug: `${source.slug}-${number}`,
      tags: [
        ...(random() < COMMON_SHARE ? [COMMON_TAG] : []),
        ...Array.from({ length: tagCount }, drawTag),
      ],
      ...(random() < IMAGE_SHARE ? { imgUrl: `https://img.example.org/${number}.jpg` } : {}),
    };
    return toWorkingCopy(fields, HTML_VERSION) as ReturnType<MakeArticle>;
  };
}

function sourceOf({ title, description, html }: Article) {
  const shortTitle = title.slice(0, 200).trim();
  return {
    title: shortTitle,
    description: description.slice(0, 300).trim(),
    slug: Array.from(slugFromTitle(shortTitle)).slice(0, 80).join('').replace(/-$/, ''),
    blocks: blocksOf(html)
      .map((block) => cleanHtml(block))
      .filter(Boolean),
  };
}

/** @returns the top-level elements of the HTML; each is complete, so they can be put together in any order */
export function blocksOf(html: string): string[] {
  return parseFragment(html)
    .childNodes.filter((node) => 'tagName' in node)
    .map((node) => serializeOuter(node));
}

/** @returns the words of the articles without markup, in an order that depends on the seed */
function vocabularyOf(base: readonly Article[], seed: number): string[] {
  const texts = base.map(({ description, html }) => `${description} ${html}`).join(' ');
  const words = texts
    .replace(/<[^>]*>/g, ' ')
    .toLowerCase()
    .match(/[a-z]{4,16}/g);
  const distinct = [...new Set(words)];
  // The server ignores common words when it looks for similar blogs, so they are dropped here as well.
  const vocabulary = distinct.flatMap((word) => textWords(word, 1));
  // A small base has few words. Artificial words are added, so that the words are distributed as in a large base.
  for (let at = 0; vocabulary.length < FULL_VOCABULARY / 2; at += 1) vocabulary.push(`word${at}x`);
  return shuffled(vocabulary, seed);
}

/** Joins clean blocks to a text, which is as clean as they are, except that ids of blocks may occur twice. */
function textOf(
  blocks: readonly string[],
  { textBytes, moreBlocks }: { textBytes: number; moreBlocks: () => string[] },
  number: number,
  random: Random,
): CleanHtml {
  const parts = [`<h2 id="h-article-${number}">Article ${number}</h2>`, ...moreBlocks()];
  for (let bytes = 0; bytes < textBytes; bytes += (parts.at(-1)?.length ?? 0) + 1) {
    parts.push(pick(random, blocks));
  }
  return parts.join('\n') as CleanHtml;
}

export function pick<Item>(random: Random, values: readonly Item[]): Item {
  return cycled(values, Math.floor(random() * values.length));
}

/** Draws values by the Zipf–Mandelbrot law: the share of the k-th value is proportional to 1 / (k + offset). */
export function zipf<Item>(random: Random, values: readonly Item[], offset: number): () => Item {
  let sum = 0;
  const cumulative = values.map((_, rank) => (sum += 1 / (rank + 1 + offset)));
  return () => {
    const drawn = random() * sum;
    let [low, high] = [0, values.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((cumulative[middle] ?? 0) > drawn) high = middle;
      else low = middle + 1;
    }
    return cycled(values, low);
  };
}
