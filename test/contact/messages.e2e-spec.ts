import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { expectFieldErrors } from '../support/checks/bad-bodies.js';
import { person, type Person } from '../support/factories.js';
import { startApp, type TestApp } from '../support/start-app.js';

interface Message {
  readonly _id: string;
  readonly msg: string;
}

const PATH = '/contact';
const MESSAGE = { type: 'feedback', msg: 'The search could also look at tags.' };

let server: TestApp;

beforeAll(async () => {
  server = await startApp();
});

const messages = () => server.db.collection('messages');

describe(`POST ${PATH}`, () => {
  it('should store the message and return it', async () => {
    const { status, body } = await server.client.post(PATH, MESSAGE);
    expect(status).toBe(200);
    expect(body).toEqual({
      code: '10000',
      status: 200,
      message: 'message received successfully!',
      data: {
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        ...MESSAGE,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    });
    const createdAt = new Date(body.data.createdAt as string);
    const _id = new Types.ObjectId(body.data._id as string);
    expect(await messages().findOne({ _id })).toEqual({
      _id,
      ...MESSAGE,
      status: true,
      createdAt,
      updatedAt: createdAt,
    });
    expect(Math.abs(Date.now() - createdAt.getTime())).toBeLessThan(60_000);
  });

  it.each([
    ['emoji up to the length limits', { type: '😀'.repeat(50), msg: '😀'.repeat(2_000) }],
    ['HTML, which is data here', { type: '<b>', msg: '<script>alert(1)</script>' }],
    ['line breaks and quotes', { type: 'a b', msg: 'one\r\ntwo\t"three"\u2028' }],
  ])('should store %s as typed, but trimmed', async (_, message) => {
    const { body } = await server.client.post(PATH, message);
    const msg = message.msg.trim();
    expect(body.data).toMatchObject({ type: message.type, msg });
    const _id = new Types.ObjectId(body.data._id as string);
    expect(await messages().findOne({ _id })).toMatchObject({ type: message.type, msg });
  });

  it('should trim type and msg, and count the length of the trimmed type', async () => {
    const type = 't'.repeat(50);
    const { body } = await server.client.post(PATH, { type: ` ${type} `, msg: '\n hello \t' });
    expect(body.data).toMatchObject({ type, msg: 'hello' });
  });

  it.each([
    ['type', ' a ', 'type must be 2 to 50 characters'],
    ['type', 'x'.repeat(51), 'type must be 2 to 50 characters'],
    ['msg', ' ', 'msg must be 1 to 2000 characters'],
    ['msg', 'x'.repeat(2_001), 'msg must be 1 to 2000 characters'],
  ])('should refuse a %s of a wrong length: %j', async (field, value, message) => {
    const before = await messages().countDocuments();
    const answer = await server.client.post(PATH, { ...MESSAGE, [field]: value });
    expectFieldErrors(answer, { field, message });
    expect(await messages().countDocuments()).toBe(before);
  });

  it('should name both fields if they are missing', async () => {
    expectFieldErrors(
      await server.client.post(PATH),
      { field: 'type', message: 'type is missing' },
      { field: 'msg', message: 'msg is missing' },
    );
  });
});

describe('GET /admin/messages', () => {
  let admin: Person;

  beforeAll(async () => {
    admin = await person(server, 'ADMIN');
    await messages().deleteMany();
    // Five messages share each time. They are not inserted in the order of their times.
    await messages().insertMany(
      Array.from({ length: 25 }, (_, index) => ({
        type: 'older',
        msg: `message ${index}`,
        status: true,
        createdAt: new Date(Date.UTC(2020, 0, 1 + ((index * 7) % 25) / 5)),
      })),
    );
  });

  const list = async (query: string): Promise<Message[]> => {
    const { status, body } = await admin.client.get<Message[]>(`/admin/messages${query}`);
    expect(status).toBe(200);
    return body.data;
  };

  it('should list the newest first, ten a page', async () => {
    const newestFirst = await messages()
      .aggregate<{ msg: string }>([{ $sort: { createdAt: -1, _id: -1 } }])
      .toArray();
    const wanted = newestFirst.map(({ msg }) => msg);
    const pages = [await list(''), await list('?page=2'), await list('?page=3')];
    expect(pages.map((page) => page.length)).toEqual([10, 10, 5]);
    expect(pages.flat().map(({ msg }) => msg)).toEqual(wanted);
  });

  it('should show each message once in pages of another size', async () => {
    const all = (await list('?limit=100')).map(({ _id }) => _id);
    expect(new Set(all).size).toBe(25);
    const paged: string[] = [];
    for (let page = 1; page <= 7; page++) {
      paged.push(...(await list(`?page=${page}&limit=4`)).map(({ _id }) => _id));
    }
    expect(paged).toEqual(all);
  });

  it('should be empty beyond the last page', async () => {
    expect(await list('?page=4')).toEqual([]);
    expect(await list('?page=999999999&limit=100')).toEqual([]);
  });

  it('should show messages as they were sent, also an older one without a time', async () => {
    const sent = await server.client.post<Message>(PATH, MESSAGE);
    const old = { type: 'old', msg: 'without a time', status: true };
    const { insertedId } = await messages().insertOne({ ...old });
    const [newest, ...others] = await list('?limit=100');
    expect(newest).toEqual(sent.body.data);
    expect(others.at(-1)).toEqual({
      _id: insertedId.toHexString(),
      type: 'old',
      msg: 'without a time',
      createdAt: insertedId.getTimestamp().toISOString(),
    });
    await messages().deleteMany({ type: { $in: ['old', MESSAGE.type] } });
  });

  it.each(['page=0', 'limit=101'])('should refuse ?%s', async (query) => {
    const { body } = await admin.client.get(`/admin/messages?${query}`);
    expect(body).toMatchObject({ status: 400, reason: 'invalid_parameter' });
  });

  // The query-plan check fails this file if the query examines too many records.
  it('should serve a deep page of hundreds of messages', async () => {
    const { insertedIds } = await messages().insertMany(
      Array.from({ length: 300 }, (_, index) => ({
        type: 'oldest',
        msg: `message ${index}`,
        createdAt: new Date(Date.UTC(2010, 0, 1, 0, 300 - index)),
      })),
    );
    const oldest = Object.values(insertedIds).map((id) => id.toHexString());
    expect((await list('?page=31')).map(({ _id }) => _id)).toEqual(oldest.slice(275, 285));
    await messages().deleteMany({ type: 'oldest' });
  });
});
