import { beforeAll, describe, expect, it } from '@jest/globals';
import { person, type Person } from '../support/factories.js';
import { startApp, type TestApp } from '../support/start-app.js';

const PATH = '/admin/messages';

interface Message {
  readonly _id: string;
  readonly msg: string;
}

describe(`GET ${PATH}`, () => {
  let server: TestApp;
  let admin: Person;

  beforeAll(async () => {
    server = await startApp();
    admin = await person(server, 'ADMIN');
    // Five with each time, inserted in no particular order.
    await server.db.collection('messages').insertMany(
      Array.from({ length: 25 }, (_, index) => ({
        type: 'older',
        msg: `message ${index}`,
        status: true,
        createdAt: new Date(Date.UTC(2020, 0, 1 + ((index * 7) % 25) / 5)),
      })),
    );
  });

  const list = async (query: string): Promise<Message[]> => {
    const { status, body } = await admin.client.get<Message[]>(PATH + query);
    expect(status).toBe(200);
    return body.data;
  };

  it('should return the messages as they were sent', async () => {
    const sent = await server.client.post('/contact', { type: 'feedback', msg: 'Hello' });
    const { status, body, headers } = await admin.client.get(`${PATH}?limit=1`);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      code: '10000',
      status: 200,
      message: 'success',
      data: [sent.body.data],
    });
    await server.db.collection('messages').deleteOne({ msg: 'Hello' });
  });

  it('should list the newest first, ten a page', async () => {
    const newestFirst = await server.db
      .collection('messages')
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

  it('should show a message of the older server without a time', async () => {
    const { insertedId } = await server.db
      .collection('messages')
      .insertOne({ type: 'old', msg: 'without a time', status: true });
    const found = (await list('?limit=100')).find(({ msg }) => msg === 'without a time');
    expect(found).toEqual({
      _id: insertedId.toHexString(),
      type: 'old',
      msg: 'without a time',
      createdAt: insertedId.getTimestamp().toISOString(),
    });
    await server.db.collection('messages').deleteOne({ _id: insertedId });
  });

  it.each(['page=0', 'limit=101'])('should refuse ?%s', async (query) => {
    const { body } = await admin.client.get(`${PATH}?${query}`);
    expect(body).toMatchObject({ status: 400, reason: 'invalid_parameter' });
  });

  // The query-plan check fails this file if the query examines too many records.
  it('should serve a deep page of hundreds of messages', async () => {
    const { insertedIds } = await server.db.collection('messages').insertMany(
      Array.from({ length: 300 }, (_, index) => ({
        type: 'oldest',
        msg: `message ${index}`,
        createdAt: new Date(Date.UTC(2010, 0, 1, 0, 300 - index)),
      })),
    );
    const oldest = Object.values(insertedIds).map((id) => id.toHexString());
    expect((await list('?page=31')).map(({ _id }) => _id)).toEqual(oldest.slice(275, 285));
    await server.db.collection('messages').deleteMany({ type: 'oldest' });
  });
});
