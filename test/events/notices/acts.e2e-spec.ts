import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { DEMO_PEOPLE } from '../../../src/cli/setup/demo/demo-people.js';
import { DemoService } from '../../../src/cli/setup/demo/demo.service.js';
import { BlogTransitionService } from '../../../src/blog/core/transitions/blog-transition.service.js';
import { relay } from '../../blog/history/stored-events.js';
import { dueBlog, runDueTransitions } from '../../blog/schedule/fixture.js';
import {
  blogIn,
  PASSWORD,
  person,
  unknownId,
  type BlogInState,
  type State,
} from '../../support/factories.js';
import { HOUR } from '../../support/time/clock.js';
import { noticesOf, openDesk, type Desk } from './fixture.js';

const PEOPLE = ['author', 'otherAuthor', 'editor', 'otherEditor', 'admin'] as const;
type Who = (typeof PEOPLE)[number];

let desk: Desk;

beforeAll(async () => {
  desk = await openDesk({ env: { FOUR_EYES: 'on' } });
});

const newBlog = (state: State): Promise<BlogInState> => blogIn(state, desk.author, desk.editor);
const put = async (who: Who, path: string, body?: object): Promise<void> => {
  const { status, body: answer } = await desk[who].client.put(path, body);
  if (status !== 200) throw new Error(`${path}: ${answer.message}`);
};
const comment = (who: 'author' | 'editor', blog: string, body: object = {}) =>
  desk[who].client.post<{ _id: string }>(`/blog/${who}/comments/id/${blog}`, {
    text: 'A comment',
    ...body,
  });
const assign = (id: string) =>
  put('editor', `/blog/editor/assign/id/${id}`, { editor: desk.otherEditor._id });

/** Who has got which kinds of notices since the last call, of this blog or of none. */
async function told(id: string | null): Promise<Partial<Record<Who, string[]>>> {
  const found: Partial<Record<Who, string[]>> = {};
  for (const who of PEOPLE) {
    const notices = await noticesOf(desk, desk[who], '&unread=true');
    const kinds = notices.filter(({ blog }) => (blog?._id ?? null) === id).map(({ kind }) => kind);
    if (kinds.length > 0) found[who] = kinds;
    await desk[who].client.put('/notices/read', {});
  }
  return found;
}

type Act = (id: string) => Promise<unknown>;

const in1Hour = (): string => new Date(Date.now() + HOUR).toISOString();

/** What is done with a new blog, and who is told of it. */
const ACTS: readonly (readonly [
  label: string,
  state: State,
  before: Act | null,
  act: Act,
  told: Partial<Record<Who, string[]>>,
])[] = [
  [
    'a submission: all editors',
    'draft',
    null,
    (id) => put('author', `/blog/author/submit/${id}`),
    { editor: ['submitted'], otherEditor: ['submitted'] },
  ],
  [
    'a submission with an assigned editor: this one',
    'in review',
    async (id) => {
      await assign(id);
      await put('author', `/blog/author/withdraw/${id}`);
    },
    (id) => put('author', `/blog/author/submit/${id}`),
    { otherEditor: ['submitted'] },
  ],
  [
    'a return: the author',
    'in review',
    null,
    (id) => put('editor', `/blog/editor/return/id/${id}`, { note: 'Shorter, please.' }),
    { author: ['returned'] },
  ],
  [
    'a publication: the author',
    'in review',
    null,
    (id) => put('editor', `/blog/editor/publish/id/${id}`),
    { author: ['published'] },
  ],
  [
    'a handover: the new author',
    'live',
    null,
    (id) => put('admin', `/admin/blogs/id/${id}/author`, { user: desk.otherAuthor._id }),
    { otherAuthor: ['handedOver'] },
  ],
  [
    'a comment of the author: the assigned editor, and who has commented',
    'in review',
    async (id) => {
      await assign(id);
      await comment('editor', id);
    },
    (id) => comment('author', id),
    { editor: ['commented'], otherEditor: ['commented'] },
  ],
  [
    'a comment of an editor: the author',
    'in review',
    null,
    (id) => comment('editor', id),
    { author: ['commented'] },
  ],
  [
    'a comment with mentions: the mentioned, once, and not its writer',
    'in review',
    null,
    (id) =>
      comment('editor', id, {
        mentions: [desk.author._id, desk.otherEditor._id, desk.editor._id],
      }),
    { author: ['mentioned'], otherEditor: ['mentioned'] },
  ],
  [
    'an editor who ends a schedule: nobody',
    'in review',
    (id) => put('editor', `/blog/editor/schedule/id/${id}`, { publishAt: in1Hour() }),
    (id) => put('editor', `/blog/editor/unschedule/id/${id}`),
    {},
  ],
  [
    'an edit: nobody',
    'draft',
    null,
    (id) => put('author', `/blog/author/id/${id}`, { title: 'x' }),
    {},
  ],
];

describe('notices', () => {
  it.each(ACTS)('should tell of %s', async (_label, state, before, act, expected) => {
    const { _id } = await newBlog(state);
    await before?.(_id);
    await told(_id);
    await act(_id);
    expect(await told(_id)).toEqual(expected);
  });

  it('should tell an account of an invitation', async () => {
    await told(null);
    const { email } = desk.otherAuthor;
    const { status } = await desk.admin.client.post('/admin/invitations', {
      email,
      roles: ['EDITOR'],
    });
    expect(status).toBe(200);
    const [notice] = await noticesOf(desk, desk.otherAuthor);
    expect(notice).toMatchObject({ kind: 'invited', by: { _id: desk.admin._id } });
    expect(await told(null)).toEqual({ otherAuthor: ['invited'] });
  });

  it('should have ids and words, and say nothing in the event log', async () => {
    const { _id, body } = await newBlog('in review');
    await put('editor', `/blog/editor/return/id/${_id}`, { note: 'Shorter, please.' });
    const { _id: commentId } = (await comment('editor', _id)).body.data;
    const [commented, returned] = await noticesOf(desk, desk.author);
    const { name, _id: by } = desk.editor;
    expect(returned).toEqual({
      seq: expect.any(Number),
      kind: 'returned',
      at: expect.any(String),
      read: false,
      text: `${name} has returned: ${body.title}`,
      by: { _id: by, name },
      blog: { _id, title: body.title, slug: body.slug },
    });
    expect(commented).toMatchObject({ kind: 'commented', comment: commentId });
    expect(commented?.seq).toBeGreaterThan(Number(returned?.seq));
    const { text } = await desk.admin.client.get('/admin/events?limit=100');
    expect(text).toContain(_id);
    expect(text).not.toMatch(/comment|mention|invit|notice|handed/i);
  });

  it('should tell of a schedule that was cleared, because its editor is none any more', async () => {
    const leaver = await person(desk, 'EDITOR');
    const { _id } = await newBlog('in review');
    const times = { publishAt: in1Hour() };
    await leaver.client.put(`/blog/editor/schedule/id/${_id}`, times);
    await told(_id);
    await put('admin', `/admin/users/id/${leaver._id}/roles`, { roles: ['LEARNER'] });
    expect(await told(_id)).toEqual({
      author: ['scheduleFailed'],
      editor: ['scheduleFailed'],
      otherEditor: ['scheduleFailed'],
    });
  });

  it('should tell of a schedule that was given up, because its editor is the author now', async () => {
    const id = await dueBlog({ ...desk, other: desk.otherAuthor }, 'live');
    const newAuthor = new Types.ObjectId(desk.editor._id);
    await desk.app.get(BlogTransitionService).apply('handOver', {
      id: new Types.ObjectId(id),
      actor: newAuthor,
      ifMatch: null,
      details: { newAuthor },
    });
    await told(id);
    await runDueTransitions(desk);
    expect(await told(id)).toEqual({
      editor: ['scheduleFailed'],
      otherEditor: ['scheduleFailed'],
    });
  });

  it('should go with the account, and its unsent mails too', async () => {
    const leaver = await person(desk, 'AUTHOR');
    const { _id } = await blogIn('in review', leaver, desk.editor);
    await put('editor', `/blog/editor/return/id/${_id}`, { note: 'No.' });
    expect(await noticesOf(desk, leaver)).toHaveLength(1);
    const user = new Types.ObjectId(leaver._id);
    const countOf = (name: string) => desk.db.collection(name).countDocuments({ user });
    expect([await countOf('notices'), await countOf('mails')]).toEqual([1, 1]);
    const body = { password: PASSWORD };
    const { status } = await leaver.client.delete('/profile/mine', { body });
    expect([status, await countOf('notices'), await countOf('mails')]).toEqual([200, 0, 0]);
  });

  it('should be there for the authors and editors of the demo, two or more for each', async () => {
    await desk.app.get(DemoService, { strict: false }).seed();
    await relay(desk);
    for (const name of ['ines', 'kofi', 'wen'] as const) {
      const { email } = DEMO_PEOPLE[name];
      const user = (await desk.db.collection('users').findOne({ email }))?._id;
      const count = await desk.db.collection('notices').countDocuments({ user });
      expect([email, count >= 2]).toEqual([email, true]);
    }
  });

  it.each([
    ['an unknown user', () => unknownId()],
    ['a user who may not comment', () => desk.otherAuthor._id],
    ['an admin', () => desk.admin._id],
  ])('should refuse to mention %s, always with the same answer', async (_who, id) => {
    const { _id } = await newBlog('in review');
    const { status, body } = await comment('author', _id, { mentions: [id()] });
    expect([status, body.errors]).toEqual([
      422,
      [
        {
          field: 'mentions',
          message: 'mentions must be ids of people who may comment on the blog',
        },
      ],
    ]);
  });
});
