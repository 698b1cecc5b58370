import { Types } from 'mongoose';
import type { Migration } from '../../database/migrations/migration.js';
import { NOBODY } from './blog-shape.js';
import { HAS_AUTHOR } from '../blog.schema.js';

/**
 * Marks the blogs of authors whose account is gone, as leaving does today. It removes none: whether a
 * draft without an author is of any use is for the operator to say. A record that never had an
 * author is left out, because the operator may give it one.
 */
export const formerAuthorMigration: Migration = {
  name: '2026-11-former-authors',
  async run(db, { dryRun }) {
    const blogs = db.collection('blogs');
    // The users are asked after the blogs were read: an author who is not there has been there.
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
    let marked = 0;
    for await (const { _id: author } of authors) {
      if (!(author instanceof Types.ObjectId) || author.equals(NOBODY)) continue;
      const theirs = { author, ...HAS_AUTHOR };
      marked += dryRun
        ? await blogs.countDocuments(theirs)
        : (await blogs.updateMany(theirs, { $set: { authorLeft: true } })).modifiedCount;
    }
    const noun = marked === 1 ? 'blog' : 'blogs';
    const changed = marked === 0 ? [] : [`${marked} ${noun}: marked, the author's account is gone`];
    return { changed, unresolved: [] };
  },
};
