import { type Types, type mongo } from 'mongoose';
import {
  compressFields,
  type RevisionFields,
} from '../../../src/blog/revisions/store/revision-fields.js';
import { storedBlog } from '../core/fixture.js';

/** The filter for the stored content of a revision. */
export async function contentFilter(
  db: mongo.Db,
  id: string,
  rev: number,
): Promise<{ readonly _id: Types.ObjectId }> {
  const { revisions } = await storedBlog(db, id);
  const entry = (revisions as { rev: number; content: Types.ObjectId }[]).find(
    (candidate) => candidate.rev === rev,
  );
  if (!entry) throw new Error(`blog ${id} has no revision ${rev}`);
  return { _id: entry.content };
}

/** Replaces the content of a revision by fields as an older HTML policy would have stored them. */
export async function replaceContent(
  db: mongo.Db,
  id: string,
  rev: number,
  fields: RevisionFields,
): Promise<void> {
  const $set = { fields: await compressFields(fields), htmlVersion: 0 };
  await db.collection('blog_revisions').updateOne(await contentFilter(db, id, rev), { $set });
}
