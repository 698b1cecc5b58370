import { beforeAll, describe, expect, it } from 'vitest';
import { Types } from 'mongoose';
import { stateOf, type BlogState } from '../../../src/blog/core/blog.state.js';
import { FormerAuthorService } from '../../../src/blog/trash/former-author.service.js';
import { BlogMoveService } from '../../../src/blog/core/transitions/blog-move.service.js';
import type { MoveDetails } from '../../../src/blog/core/transitions/move.js';
import { moveOf, MOVES, type MoveName } from '../../../src/blog/core/transitions/move-table.js';
import type { Blog } from '../../../src/blog/core/blog.schema.js';
import { blogIn, person, unknownId } from '../../support/factories.js';
import { HOUR } from '../../support/time/clock.js';
import { openBlogFixture, storedBlog, type BlogFixture } from '../core/fixture.js';

const T = (hours: number): Date => new Date(Date.UTC(2030, 0, 1) + hours * HOUR);

/** Hours of the two times. */
interface Times {
  readonly publish?: number;
  readonly unpublish?: number;
}

const BOTH = { publish: 10, unpublish: 20 };
const LIVE_END = { unpublish: 20 };
const NONE = {};

/** The schedule before a move, by state, and after each move that the state allows. */
const AFTER_MOVE: Readonly<
  Partial<Record<BlogState, { before: Times; after: Readonly<Partial<Record<MoveName, Times>>> }>>
> = {
  'in review': {
    before: BOTH,
    after: {
      withdraw: NONE,
      return: NONE,
      correct: NONE,
      assign: BOTH,
      schedule: { publish: 12, unpublish: 20 },
      unschedule: NONE,
      publish: LIVE_END,
      delete: NONE,
      handOver: NONE,
    },
  },
  'live in review': {
    before: BOTH,
    after: {
      withdraw: LIVE_END,
      return: LIVE_END,
      correct: LIVE_END,
      assign: BOTH,
      schedule: { publish: 12, unpublish: 20 },
      scheduleUnpublish: { publish: 10, unpublish: 15 },
      unschedule: NONE,
      publish: LIVE_END,
      unpublish: NONE,
      delete: NONE,
      handOver: LIVE_END,
    },
  },
  live: {
    before: LIVE_END,
    after: {
      edit: LIVE_END,
      scheduleUnpublish: { unpublish: 15 },
      unschedule: NONE,
      unpublish: NONE,
      delete: NONE,
      handOver: LIVE_END,
    },
  },
  'live with draft': {
    before: LIVE_END,
    after: {
      edit: LIVE_END,
      submit: LIVE_END,
      discard: LIVE_END,
      scheduleUnpublish: { unpublish: 15 },
      unschedule: NONE,
      unpublish: NONE,
      delete: NONE,
      handOver: LIVE_END,
    },
  },
};

const STATES = Object.keys(AFTER_MOVE) as BlogState[];

const CASES = STATES.flatMap((state) =>
  Object.entries(AFTER_MOVE[state]?.after ?? {}).map(
    ([move, after]) => [move as MoveName, state, after] as const,
  ),
);

const DETAILS: Readonly<Partial<Record<MoveName, MoveDetails>>> = {
  schedule: { publishAt: T(12) },
  scheduleUnpublish: { unpublishAt: T(15) },
  return: { note: 'Not yet' },
  handOver: { newAuthor: new Types.ObjectId() },
};

describe('the schedule of a blog', () => {
  let fixture: BlogFixture;
  let actor: Types.ObjectId;
  let moves: BlogMoveService;

  beforeAll(async () => {
    fixture = await openBlogFixture();
    actor = new Types.ObjectId(fixture.editor._id);
    moves = fixture.app.get(BlogMoveService);
  });

  /** A blog with the schedule that the table gives its state. */
  async function scheduledBlog(state: BlogState, author = fixture.author): Promise<string> {
    const { _id } = await blogIn(state, author, fixture.editor);
    const { publish, unpublish } = AFTER_MOVE[state]?.before ?? {};
    await moves.move(publish ? 'schedule' : 'scheduleUnpublish', {
      id: new Types.ObjectId(_id),
      actor,
      ifMatch: null,
      details: {
        ...(publish ? { publishAt: T(publish) } : {}),
        ...(unpublish ? { unpublishAt: T(unpublish) } : {}),
      },
    });
    return _id;
  }

  async function expectSchedule(id: string, { publish, unpublish }: Times): Promise<void> {
    const { schedule, dueAt } = await storedBlog(fixture.db, id);
    const times = {
      ...(publish ? { publish: { at: T(publish), by: actor } } : {}),
      ...(unpublish ? { unpublish: { at: T(unpublish), by: actor } } : {}),
    };
    const isScheduled = publish !== undefined || unpublish !== undefined;
    expect({ schedule, dueAt }).toEqual({
      schedule: isScheduled ? times : undefined,
      dueAt: isScheduled ? T(Math.min(publish ?? Infinity, unpublish ?? Infinity)) : undefined,
    });
  }

  it('should be in the table for every move', () => {
    for (const state of STATES) {
      const allowed = (Object.keys(MOVES) as MoveName[]).filter((name) =>
        moveOf(name).from.includes(state),
      );
      expect(Object.keys(AFTER_MOVE[state]?.after ?? {}).sort()).toEqual(allowed.sort());
    }
  });

  it.each(CASES)(
    'should be kept or cleared by %s of a blog that is %s',
    async (move, state, after) => {
      const id = await scheduledBlog(state);
      await expectSchedule(id, AFTER_MOVE[state]?.before ?? {});
      const before = await storedBlog(fixture.db, id);
      const moved = await moves.move(move, {
        id: new Types.ObjectId(id),
        actor,
        ifMatch: null,
        changes: move === 'edit' ? { title: 'Another title' } : {},
        details: DETAILS[move] ?? {},
      });
      await expectSchedule(id, after);
      const { rev, updatedAt, schedule } = await storedBlog(fixture.db, id);
      // Also of an unpublished blog, of which the editor is shown what was live.
      expect(moved.schedule).toEqual(schedule);
      expect(rev).toBe(before['rev'] + 1);
      expect(updatedAt > before['updatedAt']).toBe(moveOf(move).touches);
    },
  );

  it.each([
    ['schedule', { publishAt: T(20) }, 'blog is to be unpublished before publishAt'],
    ['schedule', { publishAt: T(25) }, 'blog is to be unpublished before publishAt'],
    ['scheduleUnpublish', { unpublishAt: T(10) }, 'blog is to be published after unpublishAt'],
    ['scheduleUnpublish', { unpublishAt: T(5) }, 'blog is to be published after unpublishAt'],
  ] as const)(
    'should be refused when its order is wrong: %s %j',
    async (move, details, message) => {
      const id = await scheduledBlog('live in review');
      const before = await storedBlog(fixture.db, id);
      const request = { id: new Types.ObjectId(id), actor, ifMatch: null };
      await expect(moves.move(move, { ...request, details })).rejects.toThrow(message);
      expect(await storedBlog(fixture.db, id)).toEqual(before);
      // Both times replace the stored ones.
      await moves.move('schedule', {
        ...request,
        details: { publishAt: T(30), unpublishAt: T(31) },
      });
      await expectSchedule(id, { publish: 30, unpublish: 31 });
    },
  );

  it('should lose its publication as soon as the author leaves', async () => {
    const author = await person(fixture, 'AUTHOR');
    const ids = new Map<BlogState, string>();
    for (const state of STATES) ids.set(state, await scheduledBlog(state, author));
    const former = fixture.app.get(FormerAuthorService);
    // A process may be killed after this step.
    await former['mark'](new Types.ObjectId(author._id));
    for (const [state, id] of ids)
      await expectSchedule(id, state === 'in review' ? NONE : LIVE_END);
    await former.cleanUp(new Types.ObjectId(author._id));
    for (const [state, id] of ids) {
      if (state === 'in review') continue;
      await expectSchedule(id, LIVE_END);
      expect(stateOf((await storedBlog(fixture.db, id)) as unknown as Blog)).toBe('live');
    }
    const removed = await storedBlog(fixture.db, ids.get('in review') ?? unknownId());
    expect(Object.keys(removed).sort()).toEqual(['_id', 'events', 'removed']);
  });
});
