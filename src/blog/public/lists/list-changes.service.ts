import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, mongo } from 'mongoose';
import { CacheCoherenceService } from '../../../platform/caching/cache-coherence.service.js';
import { modelFor } from '../../../platform/caching/causal-read-barrier.js';
import type { ChangeOfLists } from '../../history/announcements.js';
import { LIST_CHANGES } from './list-change.cache.js';
import { ListChange } from './list-change.schema.js';

/**
 * Remembers when lists changed by articles that left them. Like the counts of tags, the times are stored after a
 * transition and again by the outbox relay, whichever process is killed: a time is replaced by later ones only.
 */
@Injectable()
export class ListChanges {
  constructor(
    @InjectModel(ListChange.name) private readonly changes: Model<ListChange>,
    private readonly coherence: CacheCoherenceService,
  ) {}

  async store(changes: readonly ChangeOfLists[]): Promise<void> {
    const writes = changes.flatMap(({ lists, at }) =>
      lists.map((_id) => ({
        updateOne: { filter: { _id }, update: { $max: { at } }, upsert: true },
      })),
    );
    if (writes.length === 0) return;
    const collection = this.changes.collection as unknown as mongo.Collection<ListChange>;
    await this.coherence.write([LIST_CHANGES.all], (session) =>
      collection.bulkWrite(writes, { session, ordered: false }),
    );
  }

  /**
   * @param list the cache tag of the list
   * @returns the time of the latest change that `store` got; null if it got none
   */
  async latest(list: string): Promise<Date | null> {
    const change = await this.coherence.publicRead((options) =>
      modelFor(this.changes, options).findById(list, null, options).lean<ListChange | null>(),
    );
    return change?.at ?? null;
  }
}
