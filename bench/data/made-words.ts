import { LRUCache } from 'lru-cache';
import type { mongo } from 'mongoose';
import { built } from '../support/built.ts';
import { cycled, randomOf } from '../support/statistics.ts';
import { zipf } from './articles.ts';
import type { DraftRecord } from './records.ts';

const { articleWords, STEMS_MAX } = await built('blog/public/search/index/article-words.worker');

/** Number of artificial words; the real articles add theirs. Many of the words occur in a few articles only. */
const VOCABULARY_SIZE = 300_000;
/** Offset for `zipf`. With it the most frequent artificial word occurs in about every thirtieth article of 1 KB. */
const OFFSET = 50;
/** A text gets one artificial word per this number of bytes. */
const BYTES_PER_WORD = 50;
const WORDS_OF_PARAGRAPH = 40;
/** Size of the cache of blocks with their words. It saves work, because texts share the blocks of the real articles. */
const REMEMBERED_MAX = 20_000;
const BATCH = 10_000;

const CONSONANTS = Array.from('bcdfghjklmnprstvwz');
const VOWELS = Array.from('aeiou');

/** Makes artificial words for texts, and finds the words of articles for the search as the server does. */
export class MadeWords {
  readonly #spellings = new Map<string, string>();
  readonly #wordsByBlock = new LRUCache<string, readonly string[]>({ max: REMEMBERED_MAX });
  readonly #draw: () => string;

  constructor(seed: number) {
    const random = randomOf(seed);
    const letterOf = (from: readonly string[]) => cycled(from, Math.floor(random() * from.length));
    const syllable = () => letterOf(CONSONANTS) + letterOf(VOWELS);
    const words = new Set<string>();
    while (words.size < VOCABULARY_SIZE) {
      const syllables = 2 + Math.floor(random() * 3);
      words.add(Array.from({ length: syllables }, syllable).join('') + letterOf(CONSONANTS));
    }
    this.#draw = zipf(random, [...words], OFFSET);
  }

  /** @returns paragraphs of artificial words, for a text of `textBytes` */
  paragraphs({ textBytes }: { readonly textBytes: number }): string[] {
    const count = Math.ceil(textBytes / BYTES_PER_WORD);
    const words = Array.from({ length: count }, this.#draw);
    return Array.from(
      { length: Math.ceil(count / WORDS_OF_PARAGRAPH) },
      (_, at) => `<p>${words.splice(0, WORDS_OF_PARAGRAPH).join(' ')}, number ${at}.</p>`,
    );
  }

  /** @returns the record with the words of the article, which the server's own code finds in one block after another */
  async withWords<Copy extends DraftRecord>(record: Copy): Promise<Copy> {
    const { title, tags, description, draftText } = record;
    const words = new Map<string, string>();
    // Each word is a stem after the digit of its place. A stem that occurs in several blocks is added once, with its
    // most important place, as if the whole text had been searched for words.
    const add = (word: string) => {
      const stem = word.slice(1);
      if (word < (words.get(stem) ?? '9')) words.set(stem, word);
    };
    for (const word of await this.#wordsOf({ title, tags, description, text: '' })) add(word);
    for (const block of draftText.split(/\n(?=<)/)) {
      for (const word of await this.#wordsOfBlock(block)) add(word);
    }
    return { ...record, words: [...words.values()].slice(0, STEMS_MAX) };
  }

  async storeSpellings(db: mongo.Db): Promise<void> {
    const spellings = db.collection<{ _id: string; stem: string }>('search_spellings');
    await spellings.deleteMany({});
    const unstored = Array.from(this.#spellings, ([_id, stem]) => ({ _id, stem }));
    while (unstored.length > 0)
      await spellings.insertMany(unstored.splice(0, BATCH), { ordered: false });
  }

  async #wordsOfBlock(text: string): Promise<readonly string[]> {
    const known = this.#wordsByBlock.get(text);
    if (known) return known;
    const words = await this.#wordsOf({ title: '', tags: [], description: '', text });
    this.#wordsByBlock.set(text, words);
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
