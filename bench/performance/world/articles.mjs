import { parseFragment, serializeOuter } from 'parse5';
import { cleanHtml, HTML_VERSION } from '../../../dist/blog/html/clean-html.js';
import { normalizeSlug, slugFromTitle } from '../../../dist/blog/text/slug.js';
import { tagKeys, textWords } from '../../../dist/blog/text/words.js';
import { toWorkingCopy } from '../../../dist/blog/blog-fields.js';
import { numbersFrom } from '../load/shuffle.mjs';
import { pick, zipf } from './random.mjs';

/** On 30 % of the articles. */
export const COMMON_TAG = 'node';
const COMMON_SHARE = 0.3;
const TAGS = 2_000;
/** Flattens the head: the most frequent of the tail is on about 4 % of the articles. */
const TAG_OFFSET = 10;
const WORDS = 20_000;
const WORD_OFFSET = 50;
/** The project's own limits, in `blog-fields.ts`. */
const TITLE_WORDS = 20;
const DESCRIPTION_WORDS = 40;
const IMAGE_SHARE = 0.7;
/** A generated article in so many is compared with what the project itself makes of it. */
const CHECK_EVERY = 5_000;

/**
 * Makes any number of articles from a few real ones: real paragraphs, code and tables in new
 * selections, real titles with drawn words behind them, tags of a skewed distribution.
 *
 * @param base real articles: `title, description, html`
 * @param textBytes about how long a text becomes
 * @returns a function from a number, counted from 0, to the fields of a working copy as stored
 */
export function articleMaker({ base, textBytes, seed }) {
  const random = numbersFrom(seed);
  const sources = base.map(sourceOf);
  const blocks = sources.flatMap((source) => source.blocks).filter(fits(textBytes));
  const vocabulary = vocabularyOf(base, random);
  const tags = vocabulary.slice(-TAGS).filter((word) => word !== COMMON_TAG);
  const drawTag = zipf(random, tags.length, TAG_OFFSET);
  const drawWord = zipf(random, vocabulary.length, WORD_OFFSET);
  const words = (count) => Array.from({ length: count }, () => vocabulary[drawWord()]);

  return (number) => {
    const source = pick(random, sources);
    const titleTail = words(2);
    const descriptionTail = words(4);
    const article = {
      title: `${source.title}: ${titleTail.join(' ')}`,
      titleWords: joined(source.titleWords, titleTail, TITLE_WORDS),
      description: `${source.description} ${descriptionTail.join(' ')}`,
      descriptionWords: joined(source.descriptionWords, descriptionTail, DESCRIPTION_WORDS),
      draftText: textOf(blocks, textBytes, number, random),
      htmlVersion: HTML_VERSION,
      slug: `${source.slug}-${number}`,
      ...tagsOf(tags, drawTag, random),
      ...(random() < IMAGE_SHARE ? { imgUrl: `https://img.example.org/${number}.jpg` } : {}),
    };
    if (number % CHECK_EVERY === 0) check(article);
    return article;
  };
}

/** What the project would store for the same input, or the bench would measure another thing. */
function check(article) {
  const { title, description, draftText, tags, imgUrl } = article;
  const slug = normalizeSlug(article.slug);
  const stored = toWorkingCopy({ title, description, draftText, slug, tags, imgUrl });
  for (const [field, value] of Object.entries(stored)) {
    if (JSON.stringify(value) !== JSON.stringify(article[field])) {
      throw new Error(
        `the generated ${field} is not what the project stores:\n` +
          `${JSON.stringify(article[field])}\n${JSON.stringify(value)}`,
      );
    }
  }
}

function sourceOf({ title, description, html }) {
  const shortTitle = title.slice(0, 200).trim();
  const shortDescription = description.slice(0, 300).trim();
  return {
    title: shortTitle,
    titleWords: textWords(shortTitle, TITLE_WORDS),
    description: shortDescription,
    descriptionWords: textWords(shortDescription, DESCRIPTION_WORDS),
    slug: Array.from(slugFromTitle(shortTitle)).slice(0, 80).join('').replace(/-$/, ''),
    blocks: blocksOf(html)
      .map(cleanHtml)
      .filter((block) => block !== ''),
  };
}

/** The elements of the top level. Each is whole, so that any of them may follow one another. */
export function blocksOf(html) {
  return parseFragment(html)
    .childNodes.filter(({ tagName }) => tagName !== undefined)
    .map((node) => serializeOuter(node));
}

const fits = (textBytes) => (block) => Buffer.byteLength(block) <= textBytes / 2;

/** Plain words of the articles, in an order of their own for this seed. */
function vocabularyOf(base, random) {
  const plain = base
    .map(({ description, html }) => `${description} ${html.replace(/<[^>]*>/g, ' ')}`)
    .join(' ');
  const words = new Set();
  for (const word of plain.toLowerCase().match(/[a-z]{4,16}/g) ?? []) words.add(word);
  const telling = textWordsOf([...words]);
  // A small base has few words; made ones fill up, so that the skew is the same.
  for (let at = 0; telling.length < WORDS / 2; at += 1) telling.push(`word${at}x`);
  const order = telling.map((word) => ({ word, key: random() }));
  return order.toSorted((a, b) => a.key - b.key).map(({ word }) => word);
}

/** Without those that the project drops as telling nothing. */
function textWordsOf(words) {
  const kept = [];
  for (let at = 0; at < words.length; at += 100) {
    kept.push(...textWords(words.slice(at, at + 100).join(' '), 100));
  }
  return kept;
}

function joined(sourceWords, tail, max) {
  return [...new Set([...sourceWords, ...tail])].slice(0, max);
}

function textOf(blocks, textBytes, number, random) {
  const parts = [`<h2>Article ${number}</h2>`];
  let bytes = parts[0].length;
  while (bytes < textBytes) {
    const block = pick(random, blocks);
    parts.push(block);
    bytes += block.length + 1;
  }
  return parts.join('\n');
}

function tagsOf(rare, drawTag, random) {
  const tags = random() < COMMON_SHARE ? [COMMON_TAG] : [];
  const count = 1 + Math.floor(random() * 3);
  for (let at = 0; at < count; at += 1) tags.push(rare[drawTag()]);
  const distinct = [...new Set(tags)];
  return { tags: distinct, tagKeys: tagKeys(distinct) };
}
