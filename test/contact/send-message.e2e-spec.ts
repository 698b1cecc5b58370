import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { expectFieldErrors } from '../support/checks/bad-bodies.js';
import { startApp, type TestApp } from '../support/start-app.js';

const PATH = '/contact';
const MESSAGE = { type: 'feedback', msg: 'The search could also look at tags.' };

describe(`POST ${PATH}`, () => {
  let server: TestApp;

  beforeAll(async () => {
    server = await startApp();
  });

  const messages = () => server.db.collection('messages');

  it('should store the message and answer it', async () => {
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
    ['as many emoji', { type: '😀'.repeat(50), msg: '😀'.repeat(2_000) }],
    ['HTML, which is data here', { type: '<b>', msg: '<script>alert(1)</script>' }],
    ['what looks like operators', { type: '$where', msg: '{"$gt":""} $$ROOT ${x}' }],
    ['line breaks and quotes inside', { type: 'a b', msg: 'one\r\ntwo\t"three"\u2028' }],
  ])('should store %s as typed', async (_, message) => {
    const { body } = await server.client.post(PATH, message);
    const msg = message.msg.trim();
    expect(body.data).toMatchObject({ type: message.type, msg });
    const _id = new Types.ObjectId(body.data._id as string);
    expect(await messages().findOne({ _id })).toMatchObject({ type: message.type, msg });
  });

  it('should trim both, and count their length afterwards', async () => {
    const type = 't'.repeat(50);
    const { body } = await server.client.post(PATH, { type: ` ${type} `, msg: '\n hello \t' });
    expect(body.data).toMatchObject({ type, msg: 'hello' });
  });

  it.each([
    ['type', ' a ', 'type must be 2 to 50 characters'],
    ['type', 'x'.repeat(51), 'type must be 2 to 50 characters'],
    ['msg', ' ', 'msg must be 1 to 2000 characters'],
    ['msg', 'x'.repeat(2_001), 'msg must be 1 to 2000 characters'],
  ])('should refuse a %s of other lengths: %j', async (field, value, message) => {
    const before = await messages().countDocuments();
    const answer = await server.client.post(PATH, { ...MESSAGE, [field]: value });
    expectFieldErrors(answer, { field, message });
    expect(await messages().countDocuments()).toBe(before);
  });

  it('should name both fields where they are missing', async () => {
    expectFieldErrors(
      await server.client.post(PATH),
      { field: 'type', message: 'type is missing' },
      { field: 'msg', message: 'msg is missing' },
    );
  });
});
