import type { mongo } from 'mongoose';
import { isOnlyDuplicateKeys } from '../../../../platform/database/is-duplicate-key.js';
import type { Migration } from '../../../../platform/database/migrations/migration.js';
import { IS_PUBLIC, type Blog } from '../../../core/blog.schema.js';
import { blogMigration } from '../../../core/migration/blog.migration.js';
import { countTags, positionOf, presentTime, writesOf, type CountedTag } from './count-tags.js';
import type { Tag } from './tag.schema.js';

/**
 * Counts all tags. It runs after every new migration of blogs, which may have published or hidden
 * some blogs.
 */
export const tagMigration: Migration = {
  name: `${blogMigration.name}-tags`,
  async run(db, { dryRun, beforeWrite }) {
    const blogs = db.collection<Blog>('blogs');
    const tags = db.collection<Tag>('tags');
    const used = blogs.aggregate<{ _id: string }>(
      [
        { $match: { ...IS_PUBLIC, 'live.tagKeys': { $gte: '' } } },
        { $unwind: '$live.tagKeys' },
        { $group: { _id: '$live.tagKeys' } },
      ],
      { allowDiskUse: true },
    );
    const keys = new Set<string>();
    for await (const { _id } of used) keys.add(_id);
    for await (const { _id } of tags.find({ count: { $gt: 0 } })) keys.add(_id);
    // A dry run cannot know the counts, because the blogs are not migrated yet. The report leaves
    // counts out in any case.
    for (const key of dryRun ? [] : keys) {
      beforeWrite?.();
      await refresh(db, key);
    }
    return { changed: [], unresolved: [] };
  },
};

async function refresh(db: mongo.Db, key: string): Promise<void> {
  const time = await presentTime(db);
  const asOf = await positionOf(db, time);
  const counts = await countTags(db, [key], time);
  const tags = db.collection<Tag>('tags');
  if (isSame(await tags.findOne({ _id: key }), counts[0] ?? null)) return;
  try {
    await tags.bulkWrite(writesOf([key], counts, { asOf, now: new Date() }));
  } catch (error) {
    // A duplicate key means that a server has counted the tag meanwhile.
    if (!isOnlyDuplicateKeys(error)) throw error;
  }
}

/** Whether the stored count is right already, so that a second run changes nothing. */
function isSame(stored: Tag | null, counted: CountedTag): boolean {
  if (!counted) return (stored?.count ?? 0) === 0;
  return (
    stored?.count === counted.count &&
    stored.tag === counted.tag &&
    stored.publishedAt?.getTime() === counted.publishedAt.getTime()
  );
}
