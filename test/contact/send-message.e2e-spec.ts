import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { badTexts, expectFieldErrors, itRefusesBadBodies } from '../support/checks/bad-bodies.js';
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

  it('should ignore fields that it does not know, and never store them', async () => {
    const _id = '66f1a2b3c4d5e6f708192a3b';
    const more = { _id, status: false, createdAt: '2001-01-01T00:00:00Z', $set: {}, 'a.b': 1 };
    const { body } = await server.client.post(PATH, { ...MESSAGE, ...more });
    expect(body.data._id).not.toBe(_id);
    const stored = await messages().findOne({ _id: new Types.ObjectId(body.data._id as string) });
    expect(stored).toMatchObject({ ...MESSAGE, status: true });
    expect(Object.keys(stored ?? {}).sort()).toEqual([
      '_id',
      'createdAt',
      'msg',
      'status',
      'type',
      'updatedAt',
    ]);
    expect(body.data.createdAt).not.toMatch(/^2001/);
  });

  it.each([
    ['the shortest texts', { type: 'ab', msg: 'x' }],
    ['the longest texts', { type: 't'.repeat(50), msg: 'm'.repeat(2_000) }],
    ['as many emoji', { type: '😀'.repeat(50), msg: '😀'.repeat(2_000) }],
    ['HTML, which is data here', { type: '<b>', msg: '<script>alert(1)</script>' }],
    ['what looks like operators', { type: '$where', msg: '{"$gt":""} $$ROOT ${x}' }],
    ['line breaks and quotes inside', { type: 'a b', msg: 'one\r\ntwo\t"three"\u2028' }],
    ['what prototypes call their own', { type: '__proto__', msg: 'constructor' }],
  ])('should store %s as typed', async (_, message) => {
    const { body } = await server.client.post(PATH, message);
    const msg = message.msg.trim();
    expect(body.data).toMatchObject({ type: message.type, msg });
    const _id = new Types.ObjectId(body.data._id as string);
    expect(await messages().findOne({ _id })).toMatchObject({ type: message.type, msg });
  });

  it('should trim both', async () => {
    const { body } = await server.client.post(PATH, { type: '  ab ', msg: '\n hello \t' });
    expect(body.data).toMatchObject({ type: 'ab', msg: 'hello' });
  });

  it.each([...badTexts('type', { min: 2, max: 50 }), ...badTexts('msg', { min: 1, max: 2_000 })])(
    'should refuse $label as $field, and store nothing',
    async ({ field, value, message }) => {
      const before = await messages().countDocuments();
      const answer = await server.client.post(PATH, { ...MESSAGE, [field]: value });
      expectFieldErrors(answer, { field, message });
      expect(await messages().countDocuments()).toBe(before);
    },
  );

  it('should count the length after trimming', async () => {
    const type = ` ${'t'.repeat(50)} `;
    expect((await server.client.post(PATH, { ...MESSAGE, type })).status).toBe(200);
    expectFieldErrors(await server.client.post(PATH, { ...MESSAGE, type: ' a ' }), {
      field: 'type',
      message: 'type must be 2 to 50 characters',
    });
  });

  it.each([
    ['no body', undefined],
    ['an empty object', {}],
    ['null', null],
  ])('should name both fields for %s', async (_, body) => {
    expectFieldErrors(
      await server.client.post(PATH, body),
      { field: 'type', message: 'type is missing' },
      { field: 'msg', message: 'msg is missing' },
    );
  });

  itRefusesBadBodies((options) => server.client.request('POST', PATH, options));
});
