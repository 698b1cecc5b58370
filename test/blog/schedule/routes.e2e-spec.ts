import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { openBlogFixture, storedBlog, type BlogFixture } from '../core/fixture.js';
import { blogBody, blogIn, type State } from '../../support/factories.js';
import type { Answer } from '../../support/client.js';
import { DAY, HOUR } from '../../support/time/clock.js';
import { dueBlog } from './fixture.js';

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
    // It stays as it is, for readers and in review.
    expect([submitted, published]).toEqual([before['submitted'], before['published']]);
    expect((await client.get(`/blog/id/${id}`)).status).toBe(published ? 200 : 404);
    expect(updatedAt).toBe(before['updatedAt'].toISOString());
    expect(headers.get('etag')).toBe(`"${before['rev'] + 1}"`);
    const after = await storedBlog(db, id);
    expect(String(after['updatedBy'])).toBe(editor._id);
    expect((await editor.client.get(`/blog/editor/id/${id}`)).body.data).toEqual(body.data);
  });

  it('should keep a time that is left out, and take one with any offset', async () => {
    const id = await newBlog('live in review');
    const day = new Date(Date.now() + 30 * DAY).toISOString().slice(0, 10);
    await put(`schedule/id/${id}`, { unpublishAt: `${day}T12:00:00+05:30` });
    const { body } = await put(`schedule/id/${id}`, { publishAt: `${day}T00:00:00-02:00` });
    expect(body.data).toMatchObject({
      publishAt: `${day}T02:00:00.000Z`,
      unpublishAt: `${day}T06:30:00.000Z`,
    });
  });

  it.each([
    [{}, 'publishAt or unpublishAt is missing'],
    [{ publishAt: null }, 'publishAt must be a point in time such as 2030-01-01T00:00:00Z'],
    [{ publishAt: '2030-01-01' }, 'publishAt must be a point in time such as 2030-01-01T00:00:00Z'],
    [{ publishAt: inMs(-DAY) }, 'publishAt must be 1 minute to 2 years ahead'],
    [{ publishAt: inMs(DAY), unpublishAt: inMs(HOUR) }, 'unpublishAt must be later than publishAt'],
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
  it('should list what is scheduled, the next due first', async () => {
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

describe('PUT /blog/editor/publish/id/{id}', () => {
  it('should publish at once, whatever its body says', async () => {
    const { db, client } = fixture;
    const id = await newBlog('in review');
    const before = await storedBlog(db, id);
    const body = { ...blogBody(), publishAt: inMs(DAY), unpublishAt: inMs(2 * DAY) };
    expect((await put(`publish/id/${id}`, body)).body).toMatchObject({
      status: 200,
      message: 'blog published successfully',
    });
    expect((await client.get(`/blog/id/${id}`)).body.data.title).toBe(before['title']);
    expect((await storedBlog(db, id))['schedule']).toBeUndefined();
  });
});
