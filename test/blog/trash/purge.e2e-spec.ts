import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { openBlogFixture, storeCopies, storedBlog } from '../core/fixture.js';
import { blogIn, STATES } from '../../support/factories.js';
import { DAY, holdClock } from '../../support/time/clock.js';
import { until } from '../../support/time/wait.js';
import { KEPT_MS, own, PurgeFixture } from './purge-fixture.js';

describe('the end of a blog in the trash', () => {
  let fixture: PurgeFixture;

  beforeAll(async () => {
    fixture = await PurgeFixture.open();
  });

  describe('DELETE /blog/author/trash/id/{id}', () => {
    it.each(STATES)('should remove a blog that was %s with its texts', async (state) => {
      const { author, editor } = fixture.base;
      const { _id, body, pending } = await blogIn(state, author, editor);
      expect((await fixture.purge(_id)).status).toBe(404);
      await author.client.delete(`/blog/author/id/${_id}`);
      const { status, body: answer } = await fixture.purge(_id);
      expect([status, answer.message]).toEqual([200, 'blog removed from the trash successfully']);
      expect(answer).not.toHaveProperty('data');
      expect((await fixture.purge(_id)).status).toBe(404);
      expect((await author.client.get(`/blog/author/history/id/${_id}`)).status).toBe(404);
      expect((await fixture.eventsOf(_id)).at(-1)).toMatchObject({
        move: 'purge',
        by: new Types.ObjectId(author._id),
        from: 'deleted',
        to: 'deleted',
      });
      const all = JSON.stringify(await fixture.blogs.find(own(_id)).toArray());
      for (const { title } of [body, pending]) expect(all).not.toContain(title);
      await fixture.expectGone(_id);
    });

    it('should honour If-Match', async () => {
      const _id = await fixture.trashed();
      const before = await storedBlog(fixture.base.db, _id);
      const rev = before['rev'] as number;
      expect((await fixture.purge(_id, { 'if-match': `"${rev - 1}"` })).status).toBe(412);
      expect(await storedBlog(fixture.base.db, _id)).toEqual(before);
      expect((await fixture.purge(_id, { 'if-match': `"${rev}"` })).status).toBe(200);
      await fixture.expectGone(_id);
    });

    it("should not reach another author's trash", async () => {
      const _id = await fixture.trashed();
      const before = await storedBlog(fixture.base.db, _id);
      expect((await fixture.purge(_id, {}, fixture.base.other)).status).toBe(404);
      expect(await storedBlog(fixture.base.db, _id)).toEqual(before);
    });
  });

  describe('after TRASH_KEEP', () => {
    it('should remove what has been in the trash so long, and nothing else', async () => {
      const expired = [
        await fixture.trashed(KEPT_MS + 60_000),
        await fixture.trashed(KEPT_MS + 1_000),
      ];
      const kept = await fixture.trashed(KEPT_MS - 60_000);
      const draft = await blogIn('draft', fixture.base.author, fixture.base.editor);
      const deletedBefore = await fixture.trashed(KEPT_MS + DAY);
      await fixture.blogs.updateOne(own(deletedBefore), { $unset: { trashedAt: 1 } });
      const before = await storedBlog(fixture.base.db, deletedBefore);
      expect(await fixture.job.isDue()).toBe(true);
      expect(await fixture.runJob()).toBe('blogs removed: 2');
      expect(await fixture.job.isDue()).toBe(false);
      expect(await fixture.runJob()).toBeNull();
      for (const _id of expired) {
        expect((await fixture.eventsOf(_id)).at(-1)).toMatchObject({ move: 'purge', by: null });
      }
      expect(await storedBlog(fixture.base.db, deletedBefore)).toEqual(before);
      await fixture.expectGone(...expired);
      expect((await fixture.undelete(kept)).status).toBe(200);
      await fixture.expectWhole(kept);
      expect((await fixture.base.author.client.get(`/blog/author/id/${draft._id}`)).status).toBe(
        200,
      );
    });

    it('should not depend on the clock of the process', async () => {
      const _id = await fixture.trashed();
      const clock = holdClock(fixture.base.app);
      clock.advance(2 * KEPT_MS);
      expect(await fixture.job.isDue()).toBe(false);
      expect(await fixture.runJob()).toBeNull();
      clock.release();
      expect((await fixture.undelete(_id)).status).toBe(200);
      await fixture.expectWhole(_id);
    });

    // The query-plan check fails this file if a command examines more than it purges.
    it('should remove hundreds, among hundreds that stay, and stop when told to', async () => {
      const [due, kept] = [await fixture.trashed(KEPT_MS + DAY), await fixture.trashed()];
      const copiesOf = (id: string) =>
        storeCopies(
          fixture.base.db,
          id,
          Array.from({ length: 150 }, () => () => ({ slugs: [] })),
        );
      await copiesOf(due);
      const inTrash = { _id: { $in: (await copiesOf(kept)).map((id) => own(id)._id) } };
      expect(await fixture.job.run(AbortSignal.abort())).toBeNull();
      expect(await fixture.runJob()).toBe('blogs removed: 151');
      expect(await fixture.blogs.countDocuments({ ...inTrash, status: false })).toBe(150);
      await fixture.blogs.deleteMany(inTrash);
    });

    it('should be done by the background job of a server', async () => {
      const _id = await fixture.trashed(KEPT_MS + DAY);
      const server = await openBlogFixture({ uri: fixture.base.uri, background: true });
      await until('the purge', async () => !(await fixture.blogs.findOne(own(_id)))?.['slug']);
      await server.close();
    });
  });
});
