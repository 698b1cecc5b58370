import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { BlogStore } from '../../../src/blog/core/blog-store.js';
import { CommentStore } from '../../../src/blog/comments/store/comment-store.js';
import { PreviewStore } from '../../../src/blog/previews/preview-store.js';
import { RevisionStore } from '../../../src/blog/revisions/store/revision-store.js';
import { DAY } from '../../support/time/clock.js';
import { KEPT_MS, PurgeFixture } from './purge-fixture.js';

let fixture: PurgeFixture;

interface Step {
  readonly name: string;
  readonly service: () => object;
  readonly method: string;
  /** Whether the blog can still be restored before the step. */
  readonly isRestorable: boolean;
}

const STEPS: readonly Step[] = [
  {
    name: 'the mark',
    service: () => fixture.base.app.get(BlogStore),
    method: 'update',
    isRestorable: true,
  },
  ...[PreviewStore, CommentStore, RevisionStore].map((store) => ({
    name: `what ${store.name} removes`,
    service: () => fixture.base.app.get<object>(store),
    method: 'removeAllOf',
    isRestorable: false,
  })),
  {
    name: 'the removal of the blog',
    service: () => fixture.base.app.get(BlogStore),
    method: 'remove',
    isRestorable: false,
  },
];

/** The next call of the method is held until `go`, and then made or not. */
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
      throw new Error('the end of the process');
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

const CASES = STEPS.flatMap((step) =>
  (Object.keys(PURGES) as (keyof typeof PURGES)[]).map((by) => ({ ...step, step, by })),
);

describe('a purge', () => {
  let id: string;

  beforeAll(async () => {
    fixture = await PurgeFixture.open();
  });

  beforeEach(async () => {
    id = await fixture.trashed(KEPT_MS + DAY);
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await fixture.runJob();
  });

  it.each(CASES)(
    'should be reached by the next run when the process of $by ends before $name',
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
    'should not come, or leave nothing, when the blog is restored before $name by $by',
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

  it('should be one for two runs and a request at the same time', async () => {
    const runs = [fixture.runJob(), fixture.runJob(), fixture.purge(id)];
    await Promise.all(runs);
    const ends = (await fixture.eventsOf(id)).filter(
      ({ move: transition }) => transition === 'purge',
    );
    expect(ends).toHaveLength(1);
    await fixture.expectGone(id);
  });

  it('should be clean against restoring at the same time, whichever comes first', async () => {
    for (let round = 0; round < 8; round++) {
      const _id = await fixture.trashed();
      const first = round % 2 ? fixture.purge(_id) : fixture.undelete(_id);
      const second = round % 2 ? fixture.undelete(_id) : fixture.purge(_id);
      const statuses = (await Promise.all([first, second])).map(({ status }) => status);
      expect([...statuses].sort()).toEqual([200, 404]);
      const isRestored = (statuses[0] === 200) === (round % 2 === 0);
      await (isRestored ? fixture.expectWhole(_id) : fixture.expectGone(_id));
    }
  });
});
