import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import createFastify, { type FastifyInstance } from 'fastify';
import { registerJsonParser } from './json-parser.js';

/** Tests the parser alone. test/http/body.e2e-spec.ts tests it within the server. */
describe('registerJsonParser', () => {
  let fastify: FastifyInstance;
  let address: string;

  beforeAll(async () => {
    fastify = createFastify();
    registerJsonParser(fastify);
    fastify.post('/', ({ body }) => ({ body, isMissing: body === undefined }));
    address = await fastify.listen({ port: 0, host: '127.0.0.1' });
  });

  afterAll(async () => {
    await fastify.close();
  });

  async function post(body: string | Uint8Array, type = 'application/json'): Promise<unknown> {
    const headers = { 'content-type': type };
    const response = await fetch(address, { method: 'POST', headers, body: body as string });
    return response.status === 200 ? await response.json() : response.status;
  }

  it.each([
    ['{"a":[1,2.5,-3e2,true,null,"é"]}', { a: [1, 2.5, -300, true, null, 'é'] }],
    ['"text"', 'text'],
    [' 0 ', 0],
    ['null', null],
    ['{"a":1,"a":2}', { a: 2 }],
    ['{"constructor":1,"toString":2}', { constructor: 1, toString: 2 }],
    ['{"a":"\\ud800"}', { a: '\ud800' }],
  ])('should read %s', async (text, body) => {
    expect(await post(text)).toEqual({ body, isMissing: false });
  });

  it('should treat an empty body as none', async () => {
    expect(await post('')).toEqual({ isMissing: true });
  });

  it.each([
    '{',
    '{"__proto__":1}',
    '{"a":{"__proto__":1}}',
    '{"constructor":{"prototype":{}}}',
    '[1,]',
    'undefined',
    Buffer.from([0x22, 0xff, 0x22]),
    Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
    Buffer.from('"UTF-16"', 'utf16le'),
  ])('should refuse %j with 400', async (body) => {
    expect(await post(body)).toBe(400);
  });

  it.each([
    [32, 200],
    [33, 400],
    [10_000, 400],
  ])('should respond to %i levels of nesting with %i', async (levels, status) => {
    const answer = await post(`${'['.repeat(levels)}0${']'.repeat(levels)}`);
    expect(typeof answer === 'number' ? answer : 200).toBe(status);
  });

  it('should accept no other media type', async () => {
    for (const type of ['text/plain', 'application/jsonx', 'application/x-www-form-urlencoded']) {
      expect(await post('{}', type)).toBe(415);
    }
  });
});
