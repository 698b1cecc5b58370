import type { mongo } from 'mongoose';
import type { Migration } from '../../database/migrations/migration.js';
import { IS_PUBLIC, type Blog } from '../blog.schema.js';
import { blogMigration } from '../migration/blog.migration.js';
import { countTags, sameCount, storedCount } from './count-tags.js';
import type { Tag } from './tag.schema.js';

/** Counts all tags. It runs after every new migration of blogs, which may have made some public or not. */
export const tagMigration: Migration = {
  name: `${blogMigration.name}-tags`,
  async run(db, { dryRun }) {
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
    // A dry run cannot know the counts: the blogs are not migrated yet. They are no news to an operator.
    if (!dryRun) for (const key of keys) await refresh(db, key);
    return { changed: [], unresolved: [] };
  },
};

async function refresh(db: mongo.Db, key: string): Promise<void> {
  const tags = db.collection<Tag>('tags');
  const stored = (await tags.findOne({ _id: key })) ?? undefined;
  const [counted = null] = await countTags(db, [key]);
  if (sameCount(stored, counted)) return;
  const version = (stored?.version ?? 0) + 1;
  await tags.replaceOne({ _id: key }, storedCount(key, counted, version, new Date()), {
    upsert: true,
  });
}
