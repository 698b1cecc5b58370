import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { stateOf, type BlogState } from '../../../src/blog/core/blog.state.js';
import { FormerAuthorService } from '../../../src/blog/trash/former-author.service.js';
import { BlogTransitionService } from '../../../src/blog/core/transitions/blog-transition.service.js';
import type { TransitionDetails } from '../../../src/blog/core/transitions/transition.js';
import {
  transitionOf,
  TRANSITIONS,
  type TransitionName,
} from '../../../src/blog/core/transitions/transition-table.js';
import type { Blog } from '../../../src/blog/core/blog.schema.js';
import { blogIn, unknownId } from '../../support/factories.js';
import { HOUR } from '../../support/time/clock.js';
import { openBlogFixture, storedBlog, type BlogFixture, person } from '../core/fixture.js';

const T = (hours: number): Date => new Date(Date.UTC(2030, 0, 1) + hours * HOUR);

/** Hours of the two times. */
interface Times {
  readonly publish?: number;
  readonly unpublish?: number;
}

const BOTH = { publish: 10, unpublish: 20 };
const LIVE_END = { unpublish: 20 };
const NONE = {};

/** The schedule before a transition, by state, and after each transition that the state allows. */
const AFTER_TRANSITION: Readonly<
  Partial<
    Record<BlogState, { before: Times; after: Readonly<Partial<Record<TransitionName, Times>>> }>
  >
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

const STATES = Object.keys(AFTER_TRANSITION) as BlogState[];

const CASES = STATES.flatMap((state) =>
  Object.entries(AFTER_TRANSITION[state]?.after ?? {}).map(
    ([transition, after]) => [transition as TransitionName, state, after] as const,
  ),
);

const DETAILS: Readonly<Partial<Record<TransitionName, TransitionDetails>>> = {
  schedule: { publishAt: T(12) },
  scheduleUnpublish: { unpublishAt: T(15) },
  return: { note: 'Not yet' },
  handOver: { newAuthor: new Types.ObjectId() },
};

describe('the schedule of a blog', () => {
  let fixture: BlogFixture;
  let actor: Types.ObjectId;
  let transitions: BlogTransitionService;

  beforeAll(async () => {
    fixture = await openBlogFixture();
    actor = new Types.ObjectId(fixture.editor._id);
    transitions = fixture.app.get(BlogTransitionService);
  });

  /** A blog with the schedule that the table gives its state. */
  async function scheduledBlog(state: BlogState, author = fixture.author): Promise<string> {
    const { _id } = await blogIn(state, author, fixture.editor);
    const { publish, unpublish } = AFTER_TRANSITION[state]?.before ?? {};
    await transitions.apply(publish ? 'schedule' : 'scheduleUnpublish', {
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

  it('should be in the table for every transition', () => {
    for (const state of STATES) {
      const allowed = (Object.keys(TRANSITIONS) as TransitionName[]).filter((name) =>
        transitionOf(name).from.includes(state),
      );
      expect(Object.keys(AFTER_TRANSITION[state]?.after ?? {}).sort()).toEqual(allowed.sort());
    }
  });

  it.each(CASES)(
    'should be kept or cleared by %s of a blog that is %s',
    async (transition, state, after) => {
      const id = await scheduledBlog(state);
      await expectSchedule(id, AFTER_TRANSITION[state]?.before ?? {});
      const before = await storedBlog(fixture.db, id);
      const changed = await transitions.apply(transition, {
        id: new Types.ObjectId(id),
        actor,
        ifMatch: null,
        changes: transition === 'edit' ? { title: 'Another title' } : {},
        details: DETAILS[transition] ?? {},
      });
      await expectSchedule(id, after);
      const { rev, updatedAt, schedule } = await storedBlog(fixture.db, id);
      // The answer for an unpublished blog, which shows what was live, has it as well.
      expect(changed.schedule).toEqual(schedule);
      expect(rev).toBe(before['rev'] + 1);
      expect(updatedAt > before['updatedAt']).toBe(transitionOf(transition).touches);
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
