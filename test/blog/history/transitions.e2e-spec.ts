import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types, type mongo } from 'mongoose';
import { stateOf } from '../../../src/blog/core/blog.state.js';
import type { RecordState } from '../../../src/blog/history/blog-event.schema.js';
import { FormerAuthorService } from '../../../src/blog/trash/former-author.service.js';
import type { StoredState } from '../../../src/blog/core/transitions/transition.js';
import {
  TRANSITIONS,
  type TransitionName,
} from '../../../src/blog/core/transitions/transition-table.js';
import { updateOf } from '../../../src/blog/core/transitions/transition-update.js';
import {
  isAllowed,
  isFoundBy,
  preconditionOf,
} from '../../../src/blog/core/transitions/preconditions.js';
import { runAccountJobs } from '../handover/account-jobs.js';
import { blogBody, blogIn, PASSWORD, person, STATES } from '../../support/factories.js';
import { openBlogFixture, type BlogFixture } from '../core/fixture.js';
import { eventsInBlog } from './stored-events.js';

const TRANSITION_NAMES = Object.keys(TRANSITIONS) as TransitionName[];

/** The state that the flags of a record stand for. */
function recordStateOf(record: mongo.Document): RecordState {
  const { submitted, drafted, published, status } = record;
  return status === false ? 'deleted' : stateOf({ submitted, drafted, published });
}

let fixture: BlogFixture;

beforeAll(async () => {
  fixture = await openBlogFixture();
});

describe('the events of removals', () => {
  it('should record what the deletion of an account, and a later unpublish, does to its blogs', async () => {
    const { editor, db } = fixture;
    // No account can be deleted while there is no admin.
    await person(fixture, 'ADMIN');
    const ada = await person(fixture, 'AUTHOR');
    const ids = new Map<string, string>();
    for (const state of STATES) ids.set(state, (await blogIn(state, ada, editor))._id);
    const deleted = await blogIn('draft', ada, editor);
    await ada.client.delete(`/blog/author/id/${deleted._id}`);
    ids.set('deleted', deleted._id);
    const before = new Map<string, number>();
    for (const [state, id] of ids) before.set(state, (await eventsInBlog(db, id)).length);
    const body = { password: PASSWORD };
    expect((await ada.client.delete('/profile/mine', { body })).status).toBe(200);
    await runAccountJobs(fixture);

    const added: Record<string, unknown> = {};
    for (const [state, id] of ids) {
      const events = await eventsInBlog(db, id);
      expect(events.map(({ rev }) => rev)).toEqual(events.map((_, index) => index + 1));
      added[state] = events.slice(before.get(state)).map(({ move: transition, by, from, to }) => {
        expect(String(by)).toBe(ada._id);
        return `${transition}: ${String(from)} → ${to}`;
      });
    }
    expect(added).toEqual({
      draft: ['delete: draft → deleted', 'purge: deleted → deleted'],
      'in review': ['delete: in review → deleted', 'purge: deleted → deleted'],
      live: [],
      'live with draft': ['discard: live with draft → live'],
      'live in review': ['discard: live in review → live'],
      deleted: ['purge: deleted → deleted'],
    });
    // A second clean-up adds no events.
    const { signal } = new AbortController();
    const former = fixture.app.get(FormerAuthorService);
    await former.cleanUp(new Types.ObjectId(ada._id), signal, () => Promise.resolve());
    const draft = await eventsInBlog(db, ids.get('draft') ?? '');
    expect(draft).toHaveLength((before.get('draft') ?? 0) + 2);

    // An unpublished blog without an author is purged.
    const live = ids.get('live') ?? '';
    const { status } = await editor.client.put(`/blog/editor/unpublish/id/${live}`);
    expect(status).toBe(200);
    const by = new Types.ObjectId(editor._id);
    expect((await eventsInBlog(db, live)).slice(3)).toMatchObject([
      { move: 'unpublish', by, from: 'live', to: 'draft', revBefore: 3, rev: 4 },
      { move: 'delete', by, from: 'draft', to: 'deleted', revBefore: 4, rev: 5 },
      { move: 'purge', by, from: 'deleted', to: 'deleted', revBefore: 5, rev: 6 },
    ]);
  });
});

describe('a record of an older server', () => {
  const FLAG_VALUES = [true, false, undefined, null];
  const RECORDS = FLAG_VALUES.flatMap((submitted) =>
    FLAG_VALUES.flatMap((drafted) =>
      FLAG_VALUES.flatMap((published) =>
        FLAG_VALUES.flatMap((status) =>
          [{}, { live: { slug: 'public' } }, { trashedAt: new Date() }].map((others) => ({
            ...Object.fromEntries(
              Object.entries({ submitted, drafted, published, status }).filter(
                ([, value]) => value !== undefined,
              ),
            ),
            ...others,
          })),
        ),
      ),
    ),
  );

  it.each(TRANSITION_NAMES)(
    'should be changed by %s only if its state allows it, and get an event with the states before and after',
    async (transition) => {
      // This collection has no indexes, so the records may have the same slug.
      const records = fixture.db.collection('records');
      await records.deleteMany({});
      await records.insertMany(RECORDS.map((record) => ({ ...record, slug: 's' })));
      const before = new Map((await records.find().toArray()).map((one) => [String(one._id), one]));
      const actor = new Types.ObjectId();
      const at = new Date();
      const changes = transition === 'edit' ? { title: 'x' } : {};
      const update = updateOf(transition, { now: at, actor, changes });
      const { modifiedCount } = await records.updateMany(
        preconditionOf(transition) as mongo.Filter<mongo.Document>,
        update,
      );
      const changed = await records.find({ events: { $exists: true } }).toArray();
      expect(changed).toHaveLength(modifiedCount);
      expect(changed.length).toBeGreaterThan(5);
      const expected = [...before.values()].filter((record) => {
        const stored = record as unknown as StoredState;
        return isFoundBy(transition, stored) && isAllowed(transition, stored);
      });
      const found = changed.map(({ _id }) => before.get(String(_id)));
      expect(new Set(found)).toEqual(new Set(expected));
      for (const record of changed) {
        const previous = before.get(String(record._id)) ?? {};
        const from = recordStateOf(previous);
        const to = recordStateOf(record);
        const event = { move: transition, by: actor, at, from, to, revBefore: 0, rev: 1 };
        const [{ announced: _, ...recorded }, ...others] = record['events'];
        expect([previous, recorded, others]).toEqual([previous, event, []]);
      }
    },
  );

  it('should continue from its revision number', async () => {
    const { author, db } = fixture;
    const { body } = await author.client.post<{ _id: string }>('/blog/author', blogBody());
    const _id = new Types.ObjectId(body.data._id);
    await db.collection('blogs').updateOne({ _id }, { $set: { rev: 41 }, $unset: { events: 1 } });
    await author.client.put(`/blog/author/submit/${body.data._id}`);
    expect(await eventsInBlog(db, body.data._id)).toMatchObject([
      { move: 'submit', revBefore: 41, rev: 42 },
    ]);
  });
});
