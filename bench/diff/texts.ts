import { cycled, randomOf, type Random } from '../support/statistics.ts';

/** The longest clean text that a blog may have, in characters. */
const LENGTH = 100_000;

/** Two versions of a text. */
export interface Pair {
  readonly kind: string;
  readonly before: string;
  readonly after: string;
}

/** Pairs of texts of 100,000 characters, made of articles and of what takes the longest to compare. */
export function pairsOf(articles: readonly string[]): Pair[] {
  const random = randomOf(1);
  const article = repeated(articles);
  const words = article.replace(/<[^>]*>/g, ' ').match(/\S+/g) ?? [];
  const letters = lettersOf(LENGTH, random);
  const capitals = letters.map((letter, at) => (at % 2 === 0 ? letter : letter.toUpperCase()));
  const shuffled = letters.toReversed();
  return [
    pair('an article, 1 word in 100 changed', article, edited(article, 0.01, random)),
    pair('an article, 1 word in 10 changed', article, edited(article, 0.1, random)),
    pair('an article, every second word changed', article, edited(article, 0.5, random)),
    pair('two articles', article, repeated(articles.toReversed())),
    pair('one block, 1 word in 5 changed', words.join(' '), edited(words.join(' '), 0.2, random)),
    pair('one block, other words', words.join(' '), words.toReversed().join(' ')),
    pair('words of one letter', letters.join(' '), shuffled.join(' ')),
    pair('blocks of 200 such words, half changed', blocks(letters, 200), blocks(capitals, 200)),
    pair(
      'blocks of 1,000 such words, half changed',
      blocks(letters, 1_000),
      blocks(capitals, 1_000),
    ),
    pair('blocks of 300 such words, reordered', blocks(letters, 300), blocks(shuffled, 300)),
    pair('the most blocks', blocks(letters, 1), blocks(shuffled, 1)),
    pair('the most sentences', 'A b. '.repeat(20_000), 'A c. '.repeat(20_000)),
    pair(
      'Chinese',
      '我们今天在北京的大学里。'.repeat(9_000),
      '今天我们学习计算机科学，'.repeat(9_000),
    ),
  ];
}

function pair(kind: string, before: string, after: string): Pair {
  return { kind, before: cut(before), after: cut(after) };
}

/** Ends before a tag rather than within one. */
function cut(html: string): string {
  return html.slice(0, LENGTH).replace(/<[^>]*$/, '');
}

function repeated(articles: readonly string[]): string {
  let html = '';
  for (let index = 0; html.length < LENGTH; index += 1) html += cycled(articles, index);
  return html;
}

/** @param share of the words that are replaced; tags stay as they are */
function edited(html: string, share: number, random: Random): string {
  return html.replace(/<[^>]*>|\p{L}+/gu, (part) =>
    !part.startsWith('<') && random() < share ? lettersOf(part.length, random).join('') : part,
  );
}

function lettersOf(count: number, random: Random): string[] {
  return Array.from({ length: count }, () => String.fromCharCode(97 + Math.floor(random() * 26)));
}

/** Paragraphs of so many words. */
function blocks(words: readonly string[], size: number): string {
  let html = '';
  for (let start = 0; html.length < LENGTH; start += size) {
    html += `<p>${words.slice(start, start + size).join(' ')}</p>`;
  }
  return html;
}
