import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { BlogTransitionService } from '../../../src/blog/core/transitions/blog-transition.service.js';
import {
  transitionOf,
  TRANSITIONS,
  type TransitionName,
} from '../../../src/blog/core/transitions/transition-table.js';
import { BlogPurgeService } from '../../../src/blog/trash/blog-purge.service.js';
import { tagCacheTag } from '../../../src/blog/public/lists/cache-tags.js';
import type { EventType, LoggedEvent } from '../../../src/events/log/event-log.schema.js';
import { EventLog } from '../../../src/events/log/event-log.service.js';
import { dueBlog, runDueTransitions } from '../../blog/schedule/fixture.js';
import { openBlogFixture, storedBlog, type BlogFixture } from '../../blog/core/fixture.js';
import { relay } from '../../blog/history/stored-events.js';
import {
  blogIn,
  PASSWORD,
  person,
  STATES,
  type BlogInState,
  type State,
} from '../../support/factories.js';

const isLive = (state: State): boolean => state.startsWith('live');

type Announced = EventType | null;

/** The event of each transition, by the state before it. A new transition needs a line here and in announcements.ts. */
const ANNOUNCED: Readonly<Record<TransitionName, (state: State) => Announced>> = {
  edit: () => null,
  submit: () => 'blog.submitted',
  withdraw: () => null,
  return: () => 'blog.returned',
  correct: () => null,
  assign: () => null,
  schedule: () => null,
  scheduleUnpublish: () => null,
  unschedule: () => null,
  clearPublication: () => 'blog.rescheduled',
  passUnpublication: () => 'blog.rescheduled',
  discard: () => null,
  publish: (state) => (isLive(state) ? 'blog.updated' : 'blog.published'),
  unpublish: () => 'blog.unpublished',
  delete: (state) => (isLive(state) ? 'blog.deleted' : null),
  undelete: () => null,
  clearContributors: () => null,
  handOver: (state) => (isLive(state) ? 'blog.updated' : null),
};

const CASES = (Object.keys(TRANSITIONS) as TransitionName[]).flatMap((transition) =>
  transitionOf(transition).from.map((state) => ({
    name: transition,
    state,
    type: ANNOUNCED[transition](state) ?? 'none',
  })),
);

describe('the events that transitions announce', () => {
  let fixture: BlogFixture;

  beforeAll(async () => {
    fixture = await openBlogFixture();
    await person(fixture, 'ADMIN');
  });

  /** The events of a blog in the log, without number and time. */
  async function eventsOf(id: string): Promise<Pick<LoggedEvent, 'id' | 'type' | 'data'>[]> {
    await relay(fixture);
    const events = await fixture.app.get(EventLog).after(null, 10_000);
    return events
      .filter(({ data }) => data._id === id)
      .map(({ id: event, type, data }) => ({ id: event, type, data }));
  }

  /** The events that the transition adds. */
  async function addedBy({ _id }: Pick<BlogInState, '_id'>, transition: () => Promise<unknown>) {
    const before = await eventsOf(_id);
    await transition();
    const after = await eventsOf(_id);
    expect(after.slice(0, before.length)).toEqual(before);
    return after.slice(before.length);
  }

  function transition(name: TransitionName, { _id }: Pick<BlogInState, '_id'>): Promise<unknown> {
    return fixture.app.get(BlogTransitionService).apply(name, {
      id: new Types.ObjectId(_id),
      actor: new Types.ObjectId(fixture.editor._id),
      ifMatch: null,
      details: { newAuthor: new Types.ObjectId(fixture.other._id) },
    });
  }

  const inState = (state: State) => blogIn(state, fixture.author, fixture.editor);

  function cacheTags(id: string, authors: readonly string[], tags: readonly string[]) {
    return [
      `blog-${id}`,
      'blogs',
      ...authors.map((author) => `author-list-${author}`),
      ...tags.map((tag) => tagCacheTag(tag.toLowerCase())),
    ].sort();
  }

  /** The events with their cache tags sorted, because the order of these does not matter. */
  const sorted = (events: Pick<LoggedEvent, 'id' | 'type' | 'data'>[]) =>
    events.map(({ data, ...event }) => ({
      ...event,
      data: { ...data, ...(data.cacheTags ? { cacheTags: [...data.cacheTags].sort() } : {}) },
    }));

  it.each(CASES)('should be $type for $name from $state', async ({ name, state, type }) => {
    const blog = await inState(state);
    const { body, pending, _id } = blog;
    const added = await addedBy(blog, () => transition(name, blog));
    const { rev } = await storedBlog(fixture.db, _id);
    if (type === 'none') {
      expect(added).toEqual([]);
      return;
    }
    const { author, other } = fixture;
    const isPublication = name === 'publish';
    const isUpdate = isPublication && isLive(state);
    const data = {
      _id,
      rev,
      ...(name === 'clearPublication' ? { change: 'publication_cleared' } : {}),
      ...(name === 'passUnpublication' ? { change: 'unpublication_passed' } : {}),
      ...(['submit', 'return', 'clearPublication', 'passUnpublication'].includes(name)
        ? {}
        : {
            slug: isUpdate ? pending.slug : body.slug,
            ...(isUpdate ? { formerSlug: body.slug } : {}),
            cacheTags: cacheTags(
              _id,
              name === 'handOver' ? [author._id, other._id] : [author._id],
              isUpdate ? [...body.tags, ...pending.tags] : body.tags,
            ),
          }),
    };
    expect(sorted(added)).toEqual([{ id: `evt_${_id}_${rev}`, type, data }]);
  });

  it('should be blog.published again after a blog was unpublished', async () => {
    const blog = await inState('live');
    const added = await addedBy(blog, async () => {
      for (const name of ['unpublish', 'submit', 'publish'] as const) await transition(name, blog);
    });
    expect(added.map(({ type }) => type)).toEqual([
      'blog.unpublished',
      'blog.submitted',
      'blog.published',
    ]);
    expect(added[2]?.data).not.toHaveProperty('formerSlug');
  });

  it('should be blog.published and blog.unpublished for scheduled transitions', async () => {
    const ids = [await dueBlog(fixture), await dueBlog(fixture, 'live')];
    await runDueTransitions(fixture);
    const last = await Promise.all(ids.map(async (id) => (await eventsOf(id)).at(-1)?.type));
    expect(last).toEqual(['blog.published', 'blog.unpublished']);
  });

  it('should include the deletion of a live blog, but not of a draft, and no purge', async () => {
    const blog = await inState('live');
    const draft = await inState('draft');
    const actor = new Types.ObjectId(fixture.author._id);
    for (const each of [blog, draft]) {
      await transition('delete', each);
      const filter = { _id: new Types.ObjectId(each._id) };
      expect(await fixture.app.get(BlogPurgeService).purge(filter, actor)).toBe(true);
    }
    const types = (await eventsOf(blog._id)).map(({ type }) => type);
    expect(types).toEqual(['blog.submitted', 'blog.published', 'blog.deleted']);
    expect(await eventsOf(draft._id)).toEqual([]);
  });

  it('should be author.renamed for a deleted account, and blog.unpublished when its blog is unpublished', async () => {
    const ada = await person(fixture, 'AUTHOR');
    const blogs = new Map<State, BlogInState>();
    for (const state of STATES) blogs.set(state, await blogIn(state, ada, fixture.editor));
    await relay(fixture);
    const log = fixture.app.get(EventLog);
    const seq = await log.lastSeq();
    const body = { password: PASSWORD };
    expect((await ada.client.delete('/profile/mine', { body })).status).toBe(200);
    await relay(fixture);
    const added = await log.after(seq, 100);
    expect(added.map(({ type, data }) => [type, data._id])).toEqual([['author.renamed', ada._id]]);
    const live = blogs.get('live') as BlogInState;
    // The account of its author is deleted, so the unpublished blog is removed at once.
    const { status } = await fixture.editor.client.put(`/blog/editor/unpublish/id/${live._id}`);
    expect(status).toBe(200);
    expect((await eventsOf(live._id)).slice(2).map(({ type }) => type)).toEqual([
      'blog.unpublished',
    ]);
  });

  it('should include the deletion of a blog that an operator has hidden', async () => {
    const blog = await inState('live');
    const _id = new Types.ObjectId(blog._id);
    await fixture.db.collection('blogs').updateOne({ _id }, { $set: { published: false } });
    const added = await addedBy(blog, () => transition('delete', blog));
    expect(added).toMatchObject([{ type: 'blog.deleted', data: { slug: blog.body.slug } }]);
  });
});
