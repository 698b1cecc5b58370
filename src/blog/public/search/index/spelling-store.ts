import type { mongo } from 'mongoose';
import { OPERATION_MAX_MS } from '../../../../platform/database/client-options.js';
import { isOnlyDuplicateKeys } from '../../../../platform/database/is-duplicate-key.js';
import type { ArticleWords } from './article-words.worker.js';
import type { Spelling } from './spelling.schema.js';

/**
 * Number of spellings that are remembered as stored, in a plain map that is emptied when it is
 * full: about 5 MB. Most words of an article are among them.
 */
const REMEMBERED_MAX = 50_000;

/**
 * Stores the spellings of articles, each once. Spellings are never removed, so a spelling that is
 * remembered as stored is still stored.
 */
export class SpellingStore {
  private readonly stored = new Map<string, string>();

  constructor(private readonly collection: mongo.Collection<Spelling>) {}

  /**
   * Stores the spellings of an article. Call it before the words become live: a search then finds
   * the words by their beginnings at once.
   */
  async store(spellings: ArticleWords['spellings']): Promise<void> {
    const unknown = spellings.filter(([spelling, stem]) => this.stored.get(spelling) !== stem);
    if (unknown.length === 0) return;
    const found = await this.find(unknown.map(([spelling]) => spelling));
    const missing = unknown.filter(([spelling, stem]) => found.get(spelling) !== stem);
    await this.write(missing);
    if (this.stored.size + unknown.length > REMEMBERED_MAX) this.stored.clear();
    for (const [spelling, stem] of unknown) this.stored.set(spelling, stem);
  }

  private async find(spellings: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = await this.collection
      .find(
        { _id: { $in: spellings } },
        { batchSize: spellings.length + 1, maxTimeMS: OPERATION_MAX_MS, readPreference: 'primary' },
      )
      .toArray();
    return new Map(found.map(({ _id, stem }) => [_id, stem]));
  }

  private async write(spellings: ArticleWords['spellings']): Promise<void> {
    if (spellings.length === 0) return;
    const upserts = spellings.map(([_id, stem]) => ({
      updateOne: { filter: { _id }, update: { $set: { stem } }, upsert: true },
    }));
    try {
      await this.collection.bulkWrite(upserts, { ordered: false });
    } catch (error) {
      // A duplicate is a word that another process has inserted at the same time.
      if (!isOnlyDuplicateKeys(error)) throw error;
    }
  }
}
