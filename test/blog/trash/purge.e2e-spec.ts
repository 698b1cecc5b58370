import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Types } from 'mongoose';
import { BlogStore } from '../../../src/blog/core/blog-store.js';
import { CommentStore } from '../../../src/blog/comments/store/comment-store.js';
import { PreviewStore } from '../../../src/blog/previews/preview-store.js';
import { NoteStore } from '../../../src/blog/history/note-store.js';
import { RevisionStore } from '../../../src/blog/revisions/store/revision-store.js';
import { storeCopies, storedBlog } from '../core/fixture.js';
import { blogIn, STATES } from '../../support/factories.js';
import { DAY, holdClock } from '../../support/time/clock.js';
import { KEPT_MS, byId, PurgeFixture } from './purge-fixture.js';

let fixture: PurgeFixture;

beforeAll(async () => {
  fixture = await PurgeFixture.open();
});

describe('the end of a blog in the trash', () => {
  describe('DELETE /blog/author/trash/id/{id}', () => {
    it.each(STATES)('should remove all but the events of a blog that was %s', async (state) => {
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
      const all = JSON.stringify(await fixture.blogs.find(byId(_id)).toArray());
      for (const { title } of [body, pending]) expect(all).not.toContain(title);
      await fixture.expectGone(_id);
    });
  });

  describe('after TRASH_KEEP', () => {
    it('should remove the blogs that have been in the trash for that long, and no others', async () => {
      const expired = [
        await fixture.trashedBlog(KEPT_MS + 60_000),
        await fixture.trashedBlog(KEPT_MS + 1_000),
      ];
      const kept = await fixture.trashedBlog(KEPT_MS - 60_000);
      const draft = await blogIn('draft', fixture.base.author, fixture.base.editor);
      const deletedByOlderVersion = await fixture.trashedBlog(KEPT_MS + DAY);
      await fixture.blogs.updateOne(byId(deletedByOlderVersion), { $unset: { trashedAt: 1 } });
      const before = await storedBlog(fixture.base.db, deletedByOlderVersion);
      expect(await fixture.job.isDue()).toBe(true);
      expect(await fixture.runJob()).toBe('blogs removed: 2');
      expect(await fixture.job.isDue()).toBe(false);
      expect(await fixture.runJob()).toBeNull();
      for (const _id of expired) {
        expect((await fixture.eventsOf(_id)).at(-1)).toMatchObject({ move: 'purge', by: null });
      }
      expect(await storedBlog(fixture.base.db, deletedByOlderVersion)).toEqual(before);
      await fixture.expectGone(...expired);
      expect((await fixture.undelete(kept)).status).toBe(200);
      await fixture.expectWhole(kept);
      expect((await fixture.base.author.client.get(`/blog/author/id/${draft._id}`)).status).toBe(
        200,
      );
    });

    it('should not depend on the clock of the process', async () => {
      const _id = await fixture.trashedBlog();
      const clock = holdClock(fixture.base.app);
      clock.advance(2 * KEPT_MS);
      expect(await fixture.job.isDue()).toBe(false);
      expect(await fixture.runJob()).toBeNull();
      clock.release();
      expect((await fixture.undelete(_id)).status).toBe(200);
      await fixture.expectWhole(_id);
    });

    // The query-plan check fails this file if a command examines more than it purges.
    it('should remove 151 blogs among as many that stay, and none if it is aborted at the start', async () => {
      const [due, kept] = [await fixture.trashedBlog(KEPT_MS + DAY), await fixture.trashedBlog()];
      const copiesOf = (id: string) =>
        storeCopies(
          fixture.base.db,
          id,
          Array.from({ length: 150 }, () => () => ({ slugs: [] })),
        );
      await copiesOf(due);
      const keptCopies = { _id: { $in: (await copiesOf(kept)).map((id) => byId(id)._id) } };
      expect(await fixture.job.run(AbortSignal.abort())).toBeNull();
      expect(await fixture.runJob()).toBe('blogs removed: 151');
      expect(await fixture.blogs.countDocuments({ ...keptCopies, status: false })).toBe(150);
      await fixture.blogs.deleteMany(keptCopies);
    });
  });
});

interface Step {
  readonly name: string;
  readonly service: () => object;
  readonly method: string;
  /** Whether the blog can still be restored before the step. */
  readonly isRestorable: boolean;
}

const STEPS: readonly Step[] = [
  {
    name: 'the blog is marked',
    service: () => fixture.base.app.get(BlogStore),
    method: 'update',
    isRestorable: true,
  },
  ...[PreviewStore, CommentStore, RevisionStore, NoteStore].map((store) => ({
    name: `${store.name} removes its records`,
    service: () => fixture.base.app.get<object>(store),
    method: 'removeAllOf',
    isRestorable: false,
  })),
];

/** Holds the next call of the method until `go(isMade)`, which makes the call or lets it fail. */
function hold({ service, method }: Step): {
  reached: Promise<void>;
  go: (isMade: boolean) => void;
} {
  const target = service() as Record<string, (...given: unknown[]) => Promise<unknown>>;
  const call = target[method]?.bind(target);
  let go: (isMade: boolean) => void = () => undefined;
  const decided = new Promise<boolean>((resolve) => (go = resolve));
  const reached = new Promise<void>((resolve) => {
    const spy = jest.spyOn(target, method).mockImplementation(async (...given) => {
      spy.mockRestore();
      resolve();
      if (await decided) return call?.(...given);
      throw new Error('simulated crash');
    });
  });
  return { reached, go };
}

const PURGES = {
  'the author': async (id: string) => (await fixture.purge(id)).status,
  'the job': async (): Promise<number> => {
    try {
      return (await fixture.runJob()) === null ? 404 : 200;
    } catch {
      return 500;
    }
  },
} as const;

const MARK_BY_JOB = { ...(STEPS[0] as Step), method: 'updateMany' };
/** Once a blog is found, author and job purge it in the same way, so only the job is tested at the later steps. */
const CASES = [
  { by: 'the author', step: STEPS[0] as Step },
  { by: 'the job', step: MARK_BY_JOB },
  ...STEPS.slice(1).map((step) => ({ by: 'the job', step })),
].map(({ by, step }) => ({ ...step, step, by: by as keyof typeof PURGES }));

describe('a purge that is interrupted or concurrent with another request', () => {
  let id: string;

  beforeEach(async () => {
    id = await fixture.trashedBlog(KEPT_MS + DAY);
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await fixture.runJob();
  });

  it.each(CASES)(
    'should be completed by the next run if it is started by $by and fails before $name',
    async ({ step, by }) => {
      const held = hold(step);
      const purging = PURGES[by](id);
      await held.reached;
      held.go(false);
      expect(await purging).toBe(500);
      expect(await fixture.eventsOf(id)).not.toContainEqual(
        expect.objectContaining({ move: 'purge' }),
      );
      expect(await fixture.job.isDue()).toBe(true);
      expect(await fixture.runJob()).toBe('blogs removed: 1');
      await fixture.expectGone(id);
    },
  );

  it.each(CASES)(
    'should remove all or nothing if a restore is requested before $name in a purge by $by',
    async ({ step, by, isRestorable }) => {
      const held = hold(step);
      const purging = PURGES[by](id);
      await held.reached;
      const { status } = await fixture.undelete(id);
      expect(status).toBe(isRestorable ? 200 : 404);
      held.go(true);
      expect(await purging).toBe(isRestorable ? 404 : 200);
      await (isRestorable ? fixture.expectWhole(id) : fixture.expectGone(id));
    },
  );

  it('should add one event for two runs and a request at the same time', async () => {
    const runs = [fixture.runJob(), fixture.runJob(), fixture.purge(id)];
    await Promise.all(runs);
    const purges = (await fixture.eventsOf(id)).filter(
      ({ move: transition }) => transition === 'purge',
    );
    expect(purges).toHaveLength(1);
    await fixture.expectGone(id);
  });

  it('should exclude a concurrent restore, whichever comes first', async () => {
    for (let round = 0; round < 4; round++) {
      const _id = await fixture.trashedBlog();
      const first = round % 2 ? fixture.purge(_id) : fixture.undelete(_id);
      const second = round % 2 ? fixture.undelete(_id) : fixture.purge(_id);
      const statuses = (await Promise.all([first, second])).map(({ status }) => status);
      expect([...statuses].sort()).toEqual([200, 404]);
      const isRestored = (statuses[0] === 200) === (round % 2 === 0);
      await (isRestored ? fixture.expectWhole(_id) : fixture.expectGone(_id));
    }
  });
});
