import { LRUCache } from 'lru-cache';
import type { mongo } from 'mongoose';
import { built } from '../support/built.ts';
import { cycled, randomOf } from '../support/statistics.ts';
import { zipf } from './articles.ts';
import type { DraftRecord } from './records.ts';

const { articleWords, STEMS_MAX } = await built('blog/public/search/index/article-words.worker');

/** Number of made words beside those of the real articles; many of them stand in a few articles only. */
const VOCABULARY = 300_000;
/** Offset of the distribution of words: the most frequent one stands in about every thirtieth article of 1 KB. */
const OFFSET = 50;
/** Number of bytes of a text per made word. */
const BYTES_PER_WORD = 50;
const WORDS_OF_PARAGRAPH = 40;
/** Number of blocks that are remembered with their words: those of the real articles are used again and again. */
const REMEMBERED_MAX = 20_000;
const BATCH = 10_000;

const CONSONANTS = Array.from('bcdfghjklmnprstvwz');
const VOWELS = Array.from('aeiou');

/** Gives made articles words by which a search finds them, as the server would store them. */
export class MadeWords {
  readonly #spellings = new Map<string, string>();
  readonly #blocks = new LRUCache<string, readonly string[]>({ max: REMEMBERED_MAX });
  readonly #draw: () => string;

  constructor(seed: number) {
    const random = randomOf(seed);
    const letters = (from: readonly string[]) => cycled(from, Math.floor(random() * from.length));
    const syllable = () => letters(CONSONANTS) + letters(VOWELS);
    const made = new Set<string>();
    while (made.size < VOCABULARY) {
      const syllables = 2 + Math.floor(random() * 3);
      made.add(Array.from({ length: syllables }, syllable).join('') + letters(CONSONANTS));
    }
    this.#draw = zipf(random, [...made], OFFSET);
  }

  /** Paragraphs of made words, for a text of that length. */
  paragraphs({ textBytes }: { readonly textBytes: number }): string[] {
    const count = Math.ceil(textBytes / BYTES_PER_WORD);
    const words = Array.from({ length: count }, this.#draw);
    return Array.from(
      { length: Math.ceil(count / WORDS_OF_PARAGRAPH) },
      (_, at) => `<p>${words.splice(0, WORDS_OF_PARAGRAPH).join(' ')}, number ${at}.</p>`,
    );
  }

  /** Adds the words of an article, which the server's own code finds, block by block. */
  async added<Copy extends DraftRecord>(record: Copy): Promise<Copy> {
    const { title, tags, description, draftText } = record;
    const words = [...(await this.#wordsOf({ title, tags, description, text: '' }))];
    const stems = new Set(words.map((word) => word.slice(1)));
    // No word is counted in two blocks, so that the blocks together have the words of the text.
    for (const block of draftText.split(/\n(?=<)/)) {
      for (const word of await this.#wordsOfBlock(block)) {
        const stem = word.slice(1);
        if (stems.has(stem)) continue;
        stems.add(stem);
        words.push(word);
      }
    }
    return { ...record, words: words.slice(0, STEMS_MAX) };
  }

  async store(db: mongo.Db): Promise<void> {
    const spellings = db.collection<{ _id: string; stem: string }>('search_spellings');
    await spellings.deleteMany({});
    const left = Array.from(this.#spellings, ([_id, stem]) => ({ _id, stem }));
    while (left.length > 0) await spellings.insertMany(left.splice(0, BATCH), { ordered: false });
  }

  async #wordsOfBlock(text: string): Promise<readonly string[]> {
    const known = this.#blocks.get(text);
    if (known) return known;
    const words = await this.#wordsOf({ title: '', tags: [], description: '', text });
    this.#blocks.set(text, words);
    return words;
  }

  async #wordsOf(
    article: Pick<DraftRecord, 'title' | 'tags' | 'description'> & { text: string },
  ): Promise<readonly string[]> {
    const { words, spellings } = await articleWords({ ...article, language: 'en' });
    for (const [spelling, stem] of spellings) this.#spellings.set(spelling, stem);
    return words;
  }
}
