import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection, mongo } from 'mongoose';
import { BACKGROUND } from '../../../../platform/database/client-options.js';
import { BY_ID } from '../../../../platform/database/query-hints.js';
import {
  BackgroundService,
  type BackgroundJob,
} from '../../../../platform/jobs/background.service.js';
import { WORD_INDEX } from '../../../core/blog.indexes.js';
import { IS_PUBLIC, type Blog } from '../../../core/blog.schema.js';
import { PLACES_OF } from '../search-terms.js';
import { OTHER_FORM_SIGN, placedStem } from './article-words.worker.js';
import type { Spelling } from './spelling.schema.js';

/**
 * Milliseconds for which a spelling stays marked before it is removed. They are longer than any
 * process of this version remembers a spelling as stored (REMEMBERED_MS). A process of an older
 * version remembers spellings until it ends: it may run beside this version for this long.
 */
const UNUSED_MS = 24 * 3_600_000;

/** Number of spellings that are read at a time. */
const BATCH = 100;

/**
 * Removes the spellings that no live article has, so that neither the results of a search nor its
 * duration tell which words were public once (docs/adr/0013).
 *
 * A run reads all spellings in the order of their ids. It marks a spelling whose stem no live article
 * has, takes the mark back if an article has it again, and removes the spelling if it has been marked
 * for UNUSED_MS. SpellingStore takes the mark back, or stores the spelling again, a moment after its word becomes live.
 *
 * Blogs are read as a majority has them, so no failover brings back an article whose spelling was
 * removed. They are read one after the other, so that searches need not wait.
 */
@Injectable()
export class SpellingPruning implements BackgroundJob, OnModuleInit {
  readonly name = 'spelling pruning';
  readonly everyMs = 6 * 3_600_000;

  constructor(
    @InjectConnection(BACKGROUND) private readonly connection: Connection,
    private readonly background: BackgroundService,
  ) {}

  onModuleInit(): void {
    this.background.register(this);
  }

  isDue(): Promise<boolean> {
    return Promise.resolve(true);
  }

  async run(signal: AbortSignal): Promise<string | null> {
    let removed = 0;
    let last: string | undefined = '';
    while (last !== undefined && !signal.aborted) {
      const batch = await this.after(last);
      last = batch.at(-1)?._id;
      const used = await this.usedOf(batch);
      const unused = batch.filter(({ _id }) => !used.has(_id));
      removed += await this.remove(unused.filter(isMarked));
      await this.mark(unused.filter((spelling) => !isMarked(spelling)));
      await this.unmark(batch.filter((spelling) => used.has(spelling._id) && isMarked(spelling)));
    }
    return removed === 0 ? null : `spellings without an article removed: ${removed}`;
  }

  private async after(id: string): Promise<Spelling[]> {
    return this.spellings()
      .find({ _id: { $gt: id } }, BY_ID)
      .sort({ _id: 1 })
      .limit(BATCH)
      .toArray();
  }

  /** @returns the ids of those spellings whose stems live articles have */
  private async usedOf(spellings: readonly Spelling[]): Promise<ReadonlySet<string>> {
    const isUsed = new Map<string, boolean>();
    const used = new Set<string>();
    for (const { _id, stem } of spellings) {
      const of = _id.endsWith(OTHER_FORM_SIGN) ? 'other forms' : 'words';
      const key = `${of} ${stem}`;
      const isLive = isUsed.get(key) ?? (await this.isLive(stem, of));
      isUsed.set(key, isLive);
      if (isLive) used.add(_id);
    }
    return used;
  }

  private async isLive(stem: string, of: keyof typeof PLACES_OF): Promise<boolean> {
    const words = PLACES_OF[of].map((place) => placedStem(place, stem));
    const key = await this.database()
      .collection<Blog>('blogs')
      .findOne(
        { 'live.words': { $in: words }, ...IS_PUBLIC },
        { hint: WORD_INDEX, returnKey: true, readConcern: { level: 'majority' } },
      );
    return key !== null;
  }

  /** Removes those that have been marked for UNUSED_MS, and whose mark was not taken back. */
  private async remove(spellings: readonly Spelling[]): Promise<number> {
    if (spellings.length === 0) return 0;
    const isOld = { $lte: ['$unusedSince', { $subtract: ['$$NOW', UNUSED_MS] }] };
    const filter = { ...withIds(spellings), unusedSince: { $exists: true }, $expr: isOld };
    return (await this.spellings().deleteMany(filter, BY_ID)).deletedCount;
  }

  private async mark(spellings: readonly Spelling[]): Promise<void> {
    if (spellings.length === 0) return;
    const filter = { ...withIds(spellings), unusedSince: { $exists: false } };
    await this.spellings().updateMany(filter, [{ $set: { unusedSince: '$$NOW' } }], BY_ID);
  }

  private async unmark(spellings: readonly Spelling[]): Promise<void> {
    if (spellings.length === 0) return;
    await this.spellings().updateMany(withIds(spellings), { $unset: { unusedSince: 1 } }, BY_ID);
  }

  private spellings(): mongo.Collection<Spelling> {
    return this.database().collection('search_spellings');
  }

  private database(): mongo.Db {
    const { name } = this.connection;
    return this.connection.getClient().db(name, { readPreference: 'primary' });
  }
}

function isMarked({ unusedSince }: Spelling): boolean {
  return unusedSince !== undefined;
}

function withIds(spellings: readonly Spelling[]): { readonly _id: { readonly $in: string[] } } {
  return { _id: { $in: spellings.map(({ _id }) => _id) } };
}
