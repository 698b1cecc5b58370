import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types, type mongo } from 'mongoose';
import type { BlogEvent } from '../../../src/blog/history/blog-event.schema.js';
import type { Answer } from '../../support/client.js';
import { textsOf, type BlogBody } from '../../support/blog-fields.js';
import {
  blogBody,
  blogIn,
  STATES,
  type BlogInState,
  type Person,
  type State,
} from '../../support/factories.js';
import {
  NOTE,
  makeTransition,
  personFor,
  TRANSITION_CASES,
  TRANSITION_PARTICIPLES,
  refusalOf,
  type Transition,
} from './transition-table.js';
import { FLAGS, openBlogFixture, storedBlog, type BlogFixture } from './fixture.js';

/** The allowed transitions but `delete`, which has tests of its own. */
const ALLOWED = TRANSITION_CASES.flatMap(({ to, ...rest }) =>
  to === undefined || to === 'deleted' ? [] : [{ ...rest, to }],
);
const REFUSED = TRANSITION_CASES.filter(({ to }) => to === undefined);

/** `data` of an answer. All fields of it that these tests read one by one are texts. */
type Texts = Readonly<Record<string, string>>;

const isLive = (state: State): boolean => FLAGS[state].published;
/** The events of a stored blog, without what they announce to the event log. */
const eventsIn = (stored: mongo.Document): BlogEvent[] =>
  (stored['events'] as BlogEvent[]).map(({ announced: _, ...event }) => event);
/** In two states, a blog of the factories has a pending edit of every field. */
const workingCopyOf = (state: State, { body, pending }: BlogInState): BlogBody =>
  state === 'live with draft' || state === 'live in review' ? pending : body;

describe('the transitions of a blog', () => {
  let fixture: BlogFixture;
  let author: Person;
  let editor: Person;
  /** One blog per state, on which all refused transitions are tried. */
  const blogsByState = new Map<State, BlogInState>();

  beforeAll(async () => {
    fixture = await openBlogFixture();
    ({ author, editor } = fixture);
    for (const state of STATES) blogsByState.set(state, await blogIn(state, author, editor));
  });

  const inState = (state: State): BlogInState => blogsByState.get(state) as BlogInState;
  const make = (transition: Transition, id: string, body?: BlogBody): Promise<Answer<Texts>> =>
    makeTransition(personFor(transition, fixture).client, transition, id, body);

  async function expectUnchanged(id: string, attempt: () => Promise<void>): Promise<void> {
    const before = await storedBlog(fixture.db, id);
    await attempt();
    expect(await storedBlog(fixture.db, id)).toEqual(before);
  }

  describe.each(ALLOWED)('$transition of a blog that is $state', ({ state, transition, to }) => {
    let blog: BlogInState;
    let before: mongo.Document;
    let after: mongo.Document;
    let answer: Answer<Texts>;
    const edited = blogBody();

    beforeAll(async () => {
      blog = await blogIn(state, author, editor);
      before = await storedBlog(fixture.db, blog._id);
      answer = await make(transition, blog._id, edited);
      after = await storedBlog(fixture.db, blog._id);
    });

    /** The expected working copy and live version after the transition. */
    const textsAfter = (): { working: BlogBody; live: BlogBody } => {
      const copy = workingCopyOf(state, blog);
      const edits = { edit: edited, correct: edited, discard: blog.body };
      const working = transition in edits ? edits[transition as keyof typeof edits] : copy;
      return { working, live: transition === 'publish' ? working : blog.body };
    };

    it(`should lead to ${to}`, () => {
      expect(answer.body).toMatchObject({
        status: 200,
        message: `blog ${TRANSITION_PARTICIPLES[transition]} successfully`,
      });
      expect(answer.body.data).toMatchObject({ _id: blog._id, ...FLAGS[to] });
      expect(after).toMatchObject(FLAGS[to]);
    });

    it('should increment the revision number, and store the time and the user', () => {
      expect(after['rev']).toBe(before['rev'] + 1);
      expect(answer.headers.get('etag')).toBe(`"${after['rev']}"`);
      expect(after['updatedAt'].getTime()).toBeGreaterThanOrEqual(before['updatedAt'].getTime());
      expect(answer.body.data.updatedAt).toBe(after['updatedAt'].toISOString());
      expect(answer.body.data.createdAt).toBe(before['createdAt'].toISOString());
      expect(String(after['updatedBy'])).toBe(personFor(transition, fixture)._id);
      expect(answer.body.data.author).toEqual({ _id: author._id, name: author.name });
    });

    it('should add its event to the history', () => {
      const event = {
        move: transition,
        by: new Types.ObjectId(personFor(transition, fixture)._id),
        at: after['updatedAt'],
        from: state,
        to,
        revBefore: before['rev'],
        rev: after['rev'],
        ...(transition === 'return' ? { note: NOTE } : {}),
      };
      expect(eventsIn(after)).toEqual([...eventsIn(before), event]);
      expect(eventsIn(after).map(({ rev }) => rev)).toEqual(
        eventsIn(after).map((_, index) => index + 1),
      );
    });

    it('should show the caller what they may see', () => {
      const { working } = textsAfter();
      // An editor who unpublishes a blog, or returns a live one, sees what is or was live, not a draft.
      const showsLive = transition === 'unpublish' || (transition === 'return' && isLive(state));
      expect(answer.body.data).toMatchObject(showsLive ? blog.body : working);
    });

    it('should answer with the time of the first publication and the live text, if there are any', () => {
      const { publishedAt, text } = answer.body.data;
      if (isLive(state)) {
        expect(publishedAt).toBe(before['publishedAt'].toISOString());
        expect(text).toBe(transition === 'publish' ? blog.pending.draftText : blog.body.draftText);
      } else if (transition === 'publish') {
        expect(publishedAt).toBe(after['updatedAt'].toISOString());
        expect(text).toBe(blog.body.draftText);
      } else {
        expect(answer.body.data).not.toHaveProperty('publishedAt');
        expect(answer.body.data).not.toHaveProperty('text');
      }
    });

    it('should let author and editors read the result, and show editors nothing of a draft', async () => {
      const mine = await author.client.get(`/blog/author/id/${blog._id}`);
      expect(mine.headers.get('etag')).toBe(answer.headers.get('etag'));
      expect(mine.body.data).toMatchObject(FLAGS[to]);
      if (personFor(transition, fixture) === author)
        expect(mine.body.data).toEqual(answer.body.data);
      const read = await editor.client.get(`/blog/editor/id/${blog._id}`);
      expect(read.status).toBe(to === 'draft' ? 404 : 200);
      if (transition === 'publish') expect(read.body.data).toEqual(answer.body.data);
      const { working, live } = textsAfter();
      if (to !== 'draft')
        expect(read.body.data).toMatchObject(FLAGS[to].submitted ? working : live);
      // No answer to an editor, a list included, shows anything of a draft that is not submitted.
      const lists = ['submitted', 'published'].map((list) => `/blog/editor/${list}?limit=100`);
      const shown = [read, ...(await Promise.all(lists.map((path) => editor.client.get(path))))];
      const isShown = FLAGS[to].submitted || (isLive(to) && working === live);
      const hidden = isShown ? [] : textsOf(working);
      for (const { text } of shown) {
        expect(hidden.filter((value) => text.includes(value))).toEqual([]);
      }
    });

    it('should keep the slugs of the working copy and the live version, and former slugs', () => {
      const live = isLive(to) ? [after['live'].slug] : [];
      const former = [before['live']?.slug ?? []].flat().filter((slug) => slug !== live[0]);
      expect(after['formerSlugs'] ?? []).toEqual(former);
      expect(new Set(after['slugs'])).toEqual(new Set([after['slug'], ...live, ...former]));
      expect('live' in after).toBe(isLive(to));
    });
  });

  describe.each(STATES)('delete of a blog that is %s', (state) => {
    // The access matrix proves that no route reads a deleted blog.
    it('should free its slugs, but keep the record', async () => {
      const { db } = fixture;
      const blog = await blogIn(state, author, editor);
      const { body } = await make('delete', blog._id);
      expect(body).toEqual({ code: '10000', status: 200, message: 'blog deleted successfully' });
      const stored = await storedBlog(db, blog._id);
      expect(stored).toMatchObject({
        status: false,
        slugs: [],
        title: workingCopyOf(state, blog).title,
      });
      expect(stored['deletedAt']).toBeInstanceOf(Date);
      expect(eventsIn(stored).at(-1)).toMatchObject({ move: 'delete', from: state, to: 'deleted' });
      expect(stored).not.toHaveProperty('live');
      for (const { slug } of [blog.body, workingCopyOf(state, blog)]) {
        const { body: again } = await fixture.other.client.post('/blog/author', blogBody({ slug }));
        expect(again.data?.slug ?? again.message).toBe(slug);
        await fixture.other.client.delete(`/blog/author/id/${again.data._id}`);
      }
    });
  });

  describe.each(REFUSED)('$transition of a blog that is $state', ({ state, transition }) => {
    it('should be refused and change nothing', async () => {
      const { _id } = inState(state);
      await expectUnchanged(_id, async () => {
        const { body } = await make(transition, _id, blogBody());
        expect(body).toEqual({ code: '10001', status: 400, ...refusalOf(transition, state) });
      });
    });
  });

  it('should keep the time of the first publication when a blog is published again', async () => {
    const { _id } = await blogIn('live', author, editor);
    const { publishedAt } = await storedBlog(fixture.db, _id);
    for (const transition of [
      'unpublish',
      'submit',
      'publish',
      'edit',
      'submit',
      'publish',
    ] as const) {
      const { status } = await make(transition, _id, blogBody());
      expect([transition, status]).toEqual([transition, 200]);
    }
    const stored = await storedBlog(fixture.db, _id);
    expect(stored['publishedAt']).toEqual(publishedAt);
    expect(stored['live'].at).toEqual(publishedAt);
  });

  it('should restore the image of the live version, or its absence, when a draft is discarded', async () => {
    const { _id, body } = await blogIn('live', author, editor);
    await author.client.put(`/blog/author/id/${_id}`, { imgUrl: null });
    expect((await make('discard', _id)).body.data.imgUrl).toBe(body.imgUrl);
    const edit = author.client.put(`/blog/author/id/${_id}`, { imgUrl: null });
    expect((await edit).body.data).not.toHaveProperty('imgUrl');
    await make('submit', _id);
    expect((await make('publish', _id)).body.data).not.toHaveProperty('imgUrl');
    await author.client.put(`/blog/author/id/${_id}`, { imgUrl: body.imgUrl });
    expect((await make('discard', _id)).body.data).not.toHaveProperty('imgUrl');
    expect(await storedBlog(fixture.db, _id)).not.toHaveProperty('imgUrl');
  });
});
