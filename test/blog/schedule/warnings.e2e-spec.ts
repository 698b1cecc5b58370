import { beforeAll, expect, it } from '@jest/globals';
import { blogIn, person, type State } from '../../support/factories.js';
import { HOUR } from '../../support/time/clock.js';
import { openBlogFixture, storedBlog, type BlogFixture } from '../core/fixture.js';

const publishAt = new Date(Date.now() + HOUR).toISOString();
const unpublishAt = new Date(Date.now() + 2 * HOUR).toISOString();

let fixture: BlogFixture;

beforeAll(async () => {
  fixture = await openBlogFixture();
});

/** A blog with each time that its state allows. */
async function scheduledBlog(state: State): Promise<string> {
  const { author, editor } = fixture;
  const { _id } = await blogIn(state, author, editor);
  const times = { ...(state.endsWith('in review') ? { publishAt } : {}), unpublishAt };
  const { status, body } = await editor.client.put(`/blog/editor/schedule/id/${_id}`, times);
  if (status !== 200) throw new Error(body.message);
  return _id;
}

/** Requests of an author, an editor or an admin that end a schedule, with the fields of their warnings. */
const CLEARING = [
  ['PUT', '/blog/author/withdraw/', 'in review', ['publishAt', 'unpublishAt']],
  ['PUT', '/blog/author/withdraw/', 'live in review', ['publishAt']],
  ['PUT', '/blog/editor/return/id/', 'in review', ['publishAt', 'unpublishAt']],
  ['PUT', '/blog/editor/return/id/', 'live in review', ['publishAt']],
  ['PUT', '/blog/editor/id/', 'in review', ['publishAt', 'unpublishAt']],
  ['PUT', '/blog/editor/id/', 'live in review', ['publishAt']],
  ['PUT', '/blog/editor/unpublish/id/', 'live in review', ['submitted', 'publishAt']],
  ['PUT', '/blog/editor/unpublish/id/', 'live', []],
  ['PUT', '/blog/editor/publish/id/', 'in review', []],
  ['PUT', '/blog/editor/unschedule/id/', 'in review', []],
  ['PUT', '/blog/author/discard/', 'live with draft', []],
  ['DELETE', '/blog/author/id/', 'live in review', []],
  ['PUT', '/admin/blogs/id/', 'in review', ['publishAt', 'unpublishAt']],
] as const;

it.each(CLEARING)('should answer %s %s of a blog %s with warnings %j', async (...row) => {
  const [method, path, state, fields] = row;
  const { author, editor, other } = fixture;
  const id = await scheduledBlog(state);
  const isAdmin = path.startsWith('/admin');
  const people = isAdmin
    ? await person(fixture, 'ADMIN')
    : path.includes('editor')
      ? editor
      : author;
  const { rev } = await storedBlog(fixture.db, id);
  const { status, body } = await people.client.request<unknown>(
    method,
    path + id + (isAdmin ? '/author' : ''),
    {
      headers: isAdmin ? {} : { 'if-match': `"${rev}"` },
      ...(path.includes('return') ? { body: { note: 'Why?' } } : {}),
      ...(path === '/blog/editor/id/' ? { body: { title: 'Corrected' } } : {}),
      ...(isAdmin ? { body: { user: other._id } } : {}),
    },
  );
  expect([status, (body.warnings ?? []).map(({ field }) => field)]).toEqual([200, fields]);
  const [first] = (body.warnings ?? []).filter(({ field }) => field === 'publishAt');
  if (first) expect(first.message).toContain(publishAt);
});
