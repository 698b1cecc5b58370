import type { mongo } from 'mongoose';
import type { Migration } from '../../../../platform/database/migrations/migration.js';
import { COUNTING_INDEXES } from '../../../core/blog.indexes.js';
import { blogMigration } from '../../../core/migration/blog.migration.js';
import { allLists, correct, wrongCounts } from './list-comparison.js';
import { ALL_BLOGS, tagList, tagOf } from '../list-names.js';
import type { ListRecord } from '../list-record.schema.js';

/**
 * Counts the blogs of all lists. It runs after every new migration of blogs, which may have published or hidden some
 * blogs.
 */
export const countsMigration: Migration = {
  name: `${blogMigration.name}-lists`,
  async run(db, { dryRun, beforeWrite }) {
    // A dry run cannot know the counts, because the blogs are not migrated yet. The report leaves them out in any case.
    if (dryRun) return { changed: [], unresolved: [] };
    // The other indexes are created after all migrations.
    for (const [index, partialFilterExpression] of COUNTING_INDEXES) {
      beforeWrite?.();
      await db.collection('blogs').createIndex(index, { partialFilterExpression });
    }
    for await (const lists of allLists(db)) {
      beforeWrite?.();
      await correct(db, await wrongCounts(db, lists));
    }
    await takeFormerTimes(db);
    return { changed: [], unresolved: [] };
  },
};

/** Takes over when lists changed, which earlier versions stored by the cache tags of the lists. */
async function takeFormerTimes(db: mongo.Db): Promise<void> {
  const former = db.collection<{ readonly _id: string; readonly at: Date }>('list_changes');
  for await (const { _id, at } of former.find()) {
    const list = listOfCacheTag(_id);
    if (list === null) continue;
    const tag = tagOf(list);
    await db
      .collection<ListRecord>('lists')
      .updateOne(
        { _id: list },
        { $max: { changedAt: at }, ...(tag === null ? {} : { $set: { tag } }) },
        { upsert: true },
      );
  }
}

function listOfCacheTag(cacheTag: string): string | null {
  if (cacheTag === 'blogs') return ALL_BLOGS;
  const [, author, tag] = /^(?:author-list-([0-9a-f]{24})|tag-(.*))$/.exec(cacheTag) ?? [];
  if (author !== undefined) return `author:${author}`;
  try {
    return tag === undefined ? null : tagList(decodeURIComponent(tag));
  } catch {
    return null;
  }
}
