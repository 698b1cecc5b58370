import { expect } from '@jest/globals';
import ms from 'ms';
import { Types, type mongo } from 'mongoose';
import { PurgeJob } from '../../../src/blog/trash/purge.job.js';
import { relay } from '../history/stored-events.js';
import { openBlogFixture, storedBlog, type BlogFixture } from '../core/fixture.js';
import type { Answer } from '../../support/client.js';
import { blogIn } from '../../support/factories.js';
import { newPreview } from '../../support/previews.js';
import { recordCollections } from '../../support/mongo/mongo.js';

/** The default of TRASH_KEEP, in milliseconds. */
export const KEPT_MS = ms('30d');

export const byId = (id: string): { _id: Types.ObjectId } => ({ _id: new Types.ObjectId(id) });

/** A server whose background jobs run when the test says so. */
export class PurgeFixture {
  static async open(): Promise<PurgeFixture> {
    return new PurgeFixture(await openBlogFixture());
  }

  private constructor(readonly base: BlogFixture) {}

  get blogs(): mongo.Collection {
    return this.base.db.collection('blogs');
  }

  get job(): PurgeJob {
    return this.base.app.get(PurgeJob);
  }

  async runJob(): Promise<string | null> {
    return this.job.run(new AbortController().signal);
  }

  /** Puts a blog with revisions, a comment and a preview into the trash, as of `forMs` milliseconds ago. */
  async trashedBlog(forMs = 0): Promise<string> {
    const { author, editor } = this.base;
    const { _id } = await blogIn('live in review', author, editor);
    await editor.client.post(`/blog/editor/comments/id/${_id}`, { text: 'A comment' });
    await newPreview(author, 'author', _id);
    await author.client.delete(`/blog/author/id/${_id}`);
    const trashedAt = new Date(Date.now() - forMs);
    await this.blogs.updateOne(byId(_id), { $set: { trashedAt } });
    return _id;
  }

  async purge(id: string, headers = {}, { client } = this.base.author): Promise<Answer<unknown>> {
    return client.delete(`/blog/author/trash/id/${id}`, { headers });
  }

  async undelete(id: string): Promise<Answer<unknown>> {
    return this.base.author.client.put(`/blog/author/undelete/id/${id}`);
  }

  async eventsOf(id: string): Promise<{ readonly move: string }[]> {
    return (await storedBlog(this.base.db, id))['events'] as { move: string }[];
  }

  /** Expects that the blog has all contents that its revisions name, and its comment. */
  async expectWhole(id: string): Promise<void> {
    const { author, db } = this.base;
    expect((await author.client.get(`/blog/author/id/${id}`)).status).toBe(200);
    const { revisions } = await storedBlog(db, id);
    const contents = (revisions as { content: Types.ObjectId }[]).map(({ content }) => content);
    const listed = { blog: byId(id)._id, _id: { $in: contents } };
    const stored = await db.collection('blog_revisions').countDocuments(listed);
    expect(stored).toBe(new Set(contents.map(String)).size);
    const comments = await author.client.get(`/blog/author/comments/id/${id}`);
    expect(comments.body.data).toMatchObject([{ text: 'A comment' }]);
  }

  /** Expects that nothing is left of the blogs but their events. */
  async expectGone(...ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const { publicChanges: _, ...tombstone } = await storedBlog(this.base.db, id);
      expect(Object.keys(tombstone)).toEqual(['_id', 'removed', 'events']);
      expect(await this.tracesOf(id)).toEqual(['blogs']);
      expect((await this.undelete(id)).status).toBe(404);
    }
    await relay(this.base);
    for (const id of ids) expect(withoutEventLog(await this.tracesOf(id))).toEqual(['blog_events']);
  }

  /** The collections in which something of this blog is stored. */
  private async tracesOf(id: string): Promise<string[]> {
    const names = await recordCollections(this.base.db);
    const hasTrace = await Promise.all(
      names.map(async (name) => {
        const records = await this.base.db.collection(name).find().toArray();
        return records.some((record) => JSON.stringify(record).includes(id));
      }),
    );
    return names.filter((_, index) => hasTrace[index]).sort();
  }
}

/** Leaves out the event log. For seven days it keeps ids, and slugs and cache tags that were public. */
function withoutEventLog(collections: readonly string[]): string[] {
  return collections.filter((name) => name !== 'events');
}
