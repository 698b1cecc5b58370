import type { mongo } from 'mongoose';
import type { Clock } from '../../../../platform/clock.js';
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
 * Milliseconds for which a spelling is remembered as stored. They are far fewer than UNUSED_MS, after
 * which SpellingPruning removes a spelling.
 */
const REMEMBERED_MS = 3_600_000;

/**
 * Stores the spellings of articles, each once, and takes back the mark that a spelling is unused. A
 * spelling that is remembered as stored was not marked REMEMBERED_MS ago, so it is not removed before
 * SpellingPruning sees the article that is about to be published.
 */
export class SpellingStore {
  private readonly stored = new Map<string, string>();
  /** When the oldest spelling of `stored` may have been read. */
  private rememberedSince = new Date(0);

  constructor(
    private readonly collection: mongo.Collection<Spelling>,
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  /** @returns the spellings that are not remembered as stored */
  unknownOf(spellings: ArticleWords['spellings']): ArticleWords['spellings'] {
    this.forgetOld();
    return spellings.filter(([spelling, stem]) => this.stored.get(spelling) !== stem);
  }

  remember(spellings: ArticleWords['spellings']): void {
    if (this.stored.size + spellings.length > REMEMBERED_MAX) this.stored.clear();
    for (const [spelling, stem] of spellings) this.stored.set(spelling, stem);
  }

  /** Stores the spellings that are not remembered as stored. */
  async storeUnknown(spellings: ArticleWords['spellings']): Promise<void> {
    await this.store(this.unknownOf(spellings));
    this.remember(spellings);
  }

  /** Stores spellings. A search then finds the words by their beginnings. */
  async store(spellings: ArticleWords['spellings']): Promise<void> {
    if (spellings.length === 0) return;
    const found = await this.findUnmarked(spellings.map(([spelling]) => spelling));
    await this.write(spellings.filter(([spelling, stem]) => found.get(spelling) !== stem));
  }

  private forgetOld(): void {
    // The clock of day is used, because the monotonic clock stands still while a machine is suspended.
    const now = this.clock.now();
    const ageMs = now.getTime() - this.rememberedSince.getTime();
    if (ageMs >= 0 && ageMs < REMEMBERED_MS) return;
    this.stored.clear();
    this.rememberedSince = now;
  }

  private async findUnmarked(spellings: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = await this.collection
      .find(
        { _id: { $in: spellings }, unusedSince: { $exists: false } },
        { batchSize: spellings.length + 1, maxTimeMS: OPERATION_MAX_MS, readPreference: 'primary' },
      )
      .toArray();
    return new Map(found.map(({ _id, stem }) => [_id, stem]));
  }

  private async write(spellings: ArticleWords['spellings']): Promise<void> {
    if (spellings.length === 0) return;
    const upserts = spellings.map(([_id, stem]) => ({
      updateOne: {
        filter: { _id },
        update: { $set: { stem }, $unset: { unusedSince: 1 as const } },
        upsert: true,
      },
    }));
    try {
      await this.collection.bulkWrite(upserts, { ordered: false });
    } catch (error) {
      // A duplicate is a word that another process has inserted at the same time.
      if (!isOnlyDuplicateKeys(error)) throw error;
    }
  }
}
