import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import type { Blog } from '../../../src/blog/core/blog.schema.js';
import { stateOf, type BlogState } from '../../../src/blog/core/blog.state.js';
import { BlogTransitionService } from '../../../src/blog/core/transitions/blog-transition.service.js';
import type { TransitionDetails } from '../../../src/blog/core/transitions/transition.js';
import {
  transitionOf,
  TRANSITIONS,
  type TransitionName,
} from '../../../src/blog/core/transitions/transition-table.js';
import { FormerAuthorService } from '../../../src/blog/trash/former-author.service.js';
import { openBlogFixture, storedBlog, type BlogFixture } from '../core/fixture.js';
import { blogIn, person, unknownId, type State } from '../../support/factories.js';
import type { Answer } from '../../support/client.js';
import { DAY, HOUR } from '../../support/time/clock.js';
import { dueBlog } from './fixture.js';

const T = (hours: number): Date => new Date(Date.UTC(2030, 0, 1) + hours * HOUR);

/** The scheduled times, in hours after `T(0)`. */
interface Times {
  readonly publish?: number;
  readonly unpublish?: number;
}

const BOTH_TIMES = { publish: 10, unpublish: 20 };
const UNPUBLISH_ONLY = { unpublish: 20 };
const NO_TIMES = {};

/** For each state, the schedule before a transition, and after each transition that the state allows. */
const AFTER_TRANSITION: Readonly<
  Partial<
    Record<BlogState, { before: Times; after: Readonly<Partial<Record<TransitionName, Times>>> }>
  >
> = {
  'in review': {
    before: BOTH_TIMES,
    after: {
      withdraw: NO_TIMES,
      return: NO_TIMES,
      correct: NO_TIMES,
      assign: BOTH_TIMES,
      schedule: { publish: 12, unpublish: 20 },
      unschedule: NO_TIMES,
      clearPublication: UNPUBLISH_ONLY,
      passUnpublication: BOTH_TIMES,
      publish: UNPUBLISH_ONLY,
      delete: NO_TIMES,
      handOver: NO_TIMES,
      clearContributors: BOTH_TIMES,
    },
  },
  'live in review': {
    before: BOTH_TIMES,
    after: {
      withdraw: UNPUBLISH_ONLY,
      return: UNPUBLISH_ONLY,
      correct: UNPUBLISH_ONLY,
      assign: BOTH_TIMES,
      schedule: { publish: 12, unpublish: 20 },
      scheduleUnpublish: { publish: 10, unpublish: 15 },
      unschedule: NO_TIMES,
      clearPublication: UNPUBLISH_ONLY,
      passUnpublication: BOTH_TIMES,
      publish: UNPUBLISH_ONLY,
      unpublish: NO_TIMES,
      delete: NO_TIMES,
      handOver: UNPUBLISH_ONLY,
      clearContributors: BOTH_TIMES,
    },
  },
  live: {
    before: UNPUBLISH_ONLY,
    after: {
      edit: UNPUBLISH_ONLY,
      scheduleUnpublish: { unpublish: 15 },
      unschedule: NO_TIMES,
      passUnpublication: UNPUBLISH_ONLY,
      unpublish: NO_TIMES,
      delete: NO_TIMES,
      handOver: UNPUBLISH_ONLY,
      clearContributors: UNPUBLISH_ONLY,
    },
  },
  'live with draft': {
    before: UNPUBLISH_ONLY,
    after: {
      edit: UNPUBLISH_ONLY,
      submit: UNPUBLISH_ONLY,
      discard: UNPUBLISH_ONLY,
      scheduleUnpublish: { unpublish: 15 },
      unschedule: NO_TIMES,
      passUnpublication: UNPUBLISH_ONLY,
      unpublish: NO_TIMES,
      delete: NO_TIMES,
      handOver: UNPUBLISH_ONLY,
      clearContributors: UNPUBLISH_ONLY,
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

const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();

let fixture: BlogFixture;

beforeAll(async () => {
  fixture = await openBlogFixture();
});

const put = (path: string, body?: object, headers = {}): Promise<Answer<Record<string, unknown>>> =>
  fixture.editor.client.put(`/blog/editor/${path}`, body, { headers });

const newBlog = async (state: State): Promise<string> =>
  (await blogIn(state, fixture.author, fixture.editor))._id;

describe('PUT /blog/editor/schedule/id/{id}', () => {
  it.each([
    ['in review', { publishAt: inMs(HOUR), unpublishAt: inMs(DAY) }],
    ['live in review', { publishAt: inMs(HOUR) }],
    ['live in review', { unpublishAt: inMs(DAY) }],
    ['live', { unpublishAt: inMs(DAY) }],
    ['live with draft', { unpublishAt: inMs(DAY) }],
  ] as const)('should schedule a blog that is %s for %j', async (state, times) => {
    const { db, client, editor } = fixture;
    const id = await newBlog(state);
    const before = await storedBlog(db, id);
    const { body, headers } = await put(`schedule/id/${id}`, times);
    expect(body).toMatchObject({ status: 200, message: 'blog scheduled successfully' });
    const { publishAt, unpublishAt, submitted, published, updatedAt } = body.data;
    expect({ publishAt, unpublishAt }).toEqual({
      publishAt: undefined,
      unpublishAt: undefined,
      ...times,
    });
    // Scheduling changes neither the review nor what readers see.
    expect([submitted, published]).toEqual([before['submitted'], before['published']]);
    expect((await client.get(`/blog/id/${id}`)).status).toBe(published ? 200 : 404);
    expect(updatedAt).toBe(before['updatedAt'].toISOString());
    expect(headers.get('etag')).toBe(`"${before['rev'] + 1}"`);
    const after = await storedBlog(db, id);
    expect(String(after['updatedBy'])).toBe(editor._id);
    expect((await editor.client.get(`/blog/editor/id/${id}`)).body.data).toEqual(body.data);
  });

  it('should keep a time that is left out, and accept times with any offset', async () => {
    const id = await newBlog('live in review');
    const day = new Date(Date.now() + 30 * DAY).toISOString().slice(0, 10);
    await put(`schedule/id/${id}`, { unpublishAt: `${day}T12:00:00+05:30` });
    const { body } = await put(`schedule/id/${id}`, { publishAt: `${day}T00:00:00-02:00` });
    expect(body.data).toMatchObject({
      publishAt: `${day}T02:00:00.000Z`,
      unpublishAt: `${day}T06:30:00.000Z`,
    });
  });

  // schedule-times.spec.ts proves the bounds.
  it.each([
    [{ publishAt: '2030-01-01' }, 'publishAt must be a point in time such as 2030-01-01T00:00:00Z'],
    [{ publishAt: inMs(-DAY) }, 'publishAt must be 1 minute to 2 years ahead'],
  ])('should refuse %j', async (times, message) => {
    const id = await newBlog('live in review');
    const before = await storedBlog(fixture.db, id);
    const { body } = await put(`schedule/id/${id}`, times);
    expect(body).toMatchObject({ status: 422, message: `validation error: ${message}` });
    expect(await storedBlog(fixture.db, id)).toEqual(before);
  });
});

describe('PUT /blog/editor/unschedule/id/{id}', () => {
  it('should clear both times, and nothing else', async () => {
    const { db } = fixture;
    const id = await newBlog('live in review');
    await put(`schedule/id/${id}`, { publishAt: inMs(HOUR), unpublishAt: inMs(DAY) });
    const before = await storedBlog(db, id);
    const { body, headers } = await put(`unschedule/id/${id}`);
    expect(body).toMatchObject({ status: 200, message: 'blog unscheduled successfully' });
    expect(Object.keys(body.data)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(un)?publishAt$/)]),
    );
    const { schedule: _, dueAt: __, events, ...rest } = before;
    const after = await storedBlog(db, id);
    expect(after).toEqual({
      ...rest,
      rev: before['rev'] + 1,
      events: [...events, expect.objectContaining({ move: 'unschedule' })],
    });
    expect(headers.get('etag')).toBe(`"${after['rev']}"`);
  });
});

describe('GET /blog/editor/scheduled', () => {
  it('should list scheduled blogs, the next due first', async () => {
    const { editor, author, db } = fixture;
    await db.collection('blogs').deleteMany({});
    const schedule = async (state: State, times: object): Promise<string> => {
      const { _id } = await blogIn(state, author, editor);
      const { body } = await editor.client.put(`/blog/editor/schedule/id/${_id}`, times);
      expect(body).toMatchObject({ status: 200 });
      return _id;
    };
    const times = {
      later: { publishAt: inMs(2 * HOUR), unpublishAt: inMs(DAY) },
      sooner: { unpublishAt: inMs(HOUR) },
      last: { unpublishAt: inMs(3 * HOUR) },
    };
    const later = await schedule('in review', times.later);
    const sooner = await schedule('live', times.sooner);
    const last = await schedule('live with draft', times.last);
    const overdue = await dueBlog(fixture);
    await blogIn('in review', author, editor);
    const list = async (query = ''): Promise<Record<string, unknown>[]> =>
      (await editor.client.get<Record<string, unknown>[]>(`/blog/editor/scheduled${query}`)).body
        .data;
    expect((await list()).map(({ _id }) => _id)).toEqual([overdue, sooner, later, last]);
    expect((await list('?page=2&limit=2')).map(({ _id }) => _id)).toEqual([later, last]);
    expect((await list())[2]).toMatchObject({ ...times.later, submitted: true });
    expect((await list())[1]).toMatchObject({ ...times.sooner, published: true });

    // A server of an older version withdraws without clearing the schedule.
    await db
      .collection('blogs')
      .updateOne({ _id: new Types.ObjectId(later) }, { $set: { submitted: false, drafted: true } });
    expect((await list()).map(({ _id }) => _id)).toEqual([overdue, sooner, last]);
  });
});

describe('the schedule of a blog', () => {
  let actor: Types.ObjectId;
  let transitions: BlogTransitionService;

  beforeAll(() => {
    actor = new Types.ObjectId(fixture.editor._id);
    transitions = fixture.app.get(BlogTransitionService);
  });

  /** Creates a blog with the schedule that AFTER_TRANSITION has for its state. */
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

  async function expectSchedule(id: string, { publish, unpublish }: Times, added = {}) {
    const { schedule, dueAt } = await storedBlog(fixture.db, id);
    const times = {
      ...(publish ? { publish: { at: T(publish), by: actor } } : {}),
      ...(unpublish ? { unpublish: { at: T(unpublish), by: actor, ...added } } : {}),
    };
    const isScheduled = publish !== undefined || unpublish !== undefined;
    expect({ schedule, dueAt }).toEqual({
      schedule: isScheduled ? times : undefined,
      dueAt: isScheduled ? T(Math.min(publish ?? Infinity, unpublish ?? Infinity)) : undefined,
    });
  }

  it('should have an expected value in AFTER_TRANSITION for every allowed transition', () => {
    for (const state of STATES) {
      const allowed = (Object.keys(TRANSITIONS) as TransitionName[]).filter((name) =>
        transitionOf(name).from.includes(state),
      );
      expect(Object.keys(AFTER_TRANSITION[state]?.after ?? {}).sort()).toEqual(allowed.sort());
    }
  });

  it.each(CASES)(
    'should be as expected after %s of a blog that is %s',
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
      const added = transition === 'passUnpublication' ? { passed: true } : {};
      await expectSchedule(id, after, added);
      const { rev, updatedAt, schedule } = await storedBlog(fixture.db, id);
      // The returned blog has the same schedule, even after an unpublish, which returns what was live.
      expect(changed.schedule).toEqual(schedule);
      expect(rev).toBe(before['rev'] + 1);
      expect(updatedAt > before['updatedAt']).toBe(transitionOf(transition).touches);
    },
  );

  it('should lose the scheduled publication as soon as the author deletes the account', async () => {
    const author = await person(fixture, 'AUTHOR');
    const ids = new Map<BlogState, string>();
    for (const state of STATES) ids.set(state, await scheduledBlog(state, author));
    const former = fixture.app.get(FormerAuthorService);
    // A process may be killed after this step.
    const all = [...ids.values()].map((id) => new Types.ObjectId(id));
    await former['mark'](all, new Types.ObjectId(author._id));
    for (const [state, id] of ids)
      await expectSchedule(id, state === 'in review' ? NO_TIMES : UNPUBLISH_ONLY);
    const { signal } = new AbortController();
    await former.cleanUp(new Types.ObjectId(author._id), signal, () => Promise.resolve());
    for (const [state, id] of ids) {
      if (state === 'in review') continue;
      await expectSchedule(id, UNPUBLISH_ONLY);
      expect(stateOf((await storedBlog(fixture.db, id)) as unknown as Blog)).toBe('live');
    }
    const removed = await storedBlog(fixture.db, ids.get('in review') ?? unknownId());
    expect(Object.keys(removed).sort()).toEqual(['_id', 'events', 'removed']);
  });
});
