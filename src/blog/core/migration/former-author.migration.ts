import { Types } from 'mongoose';
import type { Migration } from '../../../platform/database/migrations/migration.js';
import { UNKNOWN_AUTHOR } from './migrated-blog.js';
import { HAS_AUTHOR } from '../blog.schema.js';

/**
 * Number of authors per update. Each update reads all blogs, since the migrations run before the
 * index by author is built.
 */
const BATCH = 1_000;

/**
 * Marks the blogs of deleted accounts with `authorLeft`, as FormerAuthorService does. It removes no
 * blog: the operator decides whether to keep drafts without an author. Blogs that never had an
 * author are not marked, because the operator may assign them to a user.
 */
export const formerAuthorMigration: Migration = {
  name: '2026-11-former-authors',
  async run(db, { dryRun, beforeWrite }) {
    const blogs = db.collection('blogs');
    // A user is looked up after the blogs were read. So a user who is missing is deleted, not new.
    const authors = blogs.aggregate<{ _id: unknown }>(
      [
        { $group: { _id: '$author' } },
        {
          $lookup: {
            from: 'users',
            localField: '_id',
            foreignField: '_id',
            pipeline: [{ $project: { _id: 1 } }],
            as: 'users',
          },
        },
        { $match: { users: [] } },
      ],
      { allowDiskUse: true },
    );
    let count = 0;
    let batch: Types.ObjectId[] = [];
    const mark = async () => {
      const filter = { author: { $in: batch }, ...HAS_AUTHOR };
      batch = [];
      beforeWrite?.();
      count += dryRun
        ? await blogs.countDocuments(filter)
        : (await blogs.updateMany(filter, { $set: { authorLeft: true } })).modifiedCount;
    };
    for await (const { _id: author } of authors) {
      if (!(author instanceof Types.ObjectId) || author.equals(UNKNOWN_AUTHOR)) continue;
      if (batch.push(author) >= BATCH) await mark();
    }
    if (batch.length > 0) await mark();
    const noun = count === 1 ? 'blog' : 'blogs';
    const changed = count === 0 ? [] : [`${count} ${noun}: marked, the author's account is gone`];
    return { changed, unresolved: [] };
  },
};
