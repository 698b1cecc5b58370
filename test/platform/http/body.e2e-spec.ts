import { beforeAll, describe, expect, it } from '@jest/globals';
import { person, unique, type Person } from '../../support/factories.js';
import { API_KEY, startApp, type TestApp } from '../../support/start-app.js';
import { expectRefusal, json, send, type RawAnswer } from './raw-http.js';

const KEY = { 'x-api-key': API_KEY };

describe('Request bodies', () => {
  let server: TestApp;
  let author: Person;

  beforeAll(async () => {
    server = await startApp();
    author = await person(server, 'AUTHOR');
  });

  function contact(body: string | Uint8Array): Promise<RawAnswer> {
    return send(server.url, '/contact', json(body, KEY));
  }

  function stored(msg: string): Promise<number> {
    return server.db.collection('messages').countDocuments({ msg });
  }

  it.each([
    ['cut off', '{"type":"feedback","msg":"good'],
    ['a comma too many', '{"type":"feedback","msg":"good",}'],
    ['a NUL at the start', '\0{"type":"feedback","msg":"good"}'],
    ['__proto__ in a nested object', '{"type":"feedback","msg":{"__proto__":{"x":1}}}'],
    ['__proto__ with an escape', '{"type":"feedback","msg":"good","\\u005f_proto__":{"x":1}}'],
    ['constructor.prototype', '{"type":"feedback","constructor":{"prototype":{"x":1}}}'],
  ])('should refuse malformed JSON: %s', async (_what, body) => {
    const answer = await contact(body);
    expect(expectRefusal(answer, 400)).toBe('the body is not valid JSON');
    // Neither the response nor the log repeats the body.
    expect(answer.text).not.toContain('feedback');
  });

  it('should refuse bytes that are not UTF-8, with Content-Length or chunked', async () => {
    const mark = unique('utf8');
    const bytes = Buffer.concat([
      Buffer.from(`{"type":"feedback","msg":"${mark}`),
      Buffer.from([0xc3, 0x28, 0xff]),
      Buffer.from('"}'),
    ]);
    expect(expectRefusal(await contact(bytes), 400)).toBe('the body is not valid UTF-8');
    const chunked = await fetch(`${server.url}/contact`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...KEY },
      body: new Blob([bytes]).stream(),
      duplex: 'half',
    });
    expect(chunked.status).toBe(400);
    expect(await server.db.collection('messages').countDocuments({ msg: { $regex: mark } })).toBe(
      0,
    );
  });

  it.each([
    ['a repeated key, and take its last value', '"msg":"first",', ''],
    ['keys that objects inherit', '', ',"constructor":1,"toString":2'],
    ['numbers, literals and lists', '', ',"more":[1,2.5,-3e2,true,null,"é"]'],
    ['an unpaired surrogate in an undeclared field', '', ',"more":"\\ud800"'],
  ])('should read %s', async (_what, before, after) => {
    const msg = unique('json');
    const { status } = await contact(`{"type":"feedback",${before}"msg":"${msg}"${after}}`);
    expect(status).toBe(200);
    expect(await stored(msg)).toBe(1);
  });

  it('should read a byte order mark and every plane of Unicode', async () => {
    const msg = `${unique('unicode')} é 漢 𝒳 👩‍👩‍👧`;
    const body = `\uFEFF${JSON.stringify({ type: 'feedback', msg })}`;
    expect((await contact(body)).status).toBe(200);
    expect(await stored(msg)).toBe(1);
  });

  it('should treat a missing body, an empty one and {} alike', async () => {
    const headers = { 'content-type': 'application/json', ...KEY };
    const answers = [
      await send(server.url, '/contact', { method: 'POST', headers: KEY }),
      await send(server.url, '/contact', { method: 'POST', headers }),
      await contact(''),
      await contact('{}'),
    ];
    for (const answer of answers) {
      expect(expectRefusal(answer, 422)).toBe('validation error: type is missing, msg is missing');
    }
  });

  it.each(['[{"type":"feedback","msg":"good"}]', 'null'])('should refuse %s', async (body) => {
    const answer = await contact(body);
    expect(expectRefusal(answer, 422)).toBe('validation error: the body must be a JSON object');
    expect(JSON.parse(answer.text)).toMatchObject({ errors: [{ field: '' }] });
  });

  describe('nesting and size', () => {
    it('should refuse 500,000 levels on a route with a large body limit', async () => {
      const body = '['.repeat(500_000) + ']'.repeat(500_000);
      const headers = { ...KEY, authorization: `Bearer ${author.accessToken}` };
      const answer = await send(server.url, '/blog/author', json(body, headers));
      expect(expectRefusal(answer, 400)).toBe('the JSON is nested too deeply');
    });

    it('should read 1,000 members and elements, and refuse 1,001', async () => {
      const wide = (parts: number): string =>
        JSON.stringify({ type: 'feedback', msg: 'good', more: Array(parts - 3).fill(0) });
      expect((await contact(wide(1_000))).status).toBe(200);
      expect(expectRefusal(await contact(wide(1_001)), 400)).toBe(
        'the JSON has more than 1,000 members and elements: send fewer',
      );
    });

    it('should accept 32 levels and refuse 33', async () => {
      const nested = (levels: number): string =>
        `{"type":"feedback","msg":"good","more":${'['.repeat(levels - 1)}0${']'.repeat(levels - 1)}}`;
      expect((await contact(nested(32))).status).toBe(200);
      expectRefusal(await contact(nested(33)), 400);
    });
  });

  describe('fields', () => {
    it('should store text that looks like an operator as text, and no undeclared field', async () => {
      const msg = `$$ROOT {"$gt":""} $draftText ${unique('dollar')}`;
      const extra = { status: false, _id: '66f1a2b3c4d5e6f708192a3b', $set: { msg: 'x' } };
      const inheritedNames = { constructor: 1, toString: 2, hasOwnProperty: 3, valueOf: 4 };
      const body = JSON.stringify({ type: '$where', msg, ...extra, ...inheritedNames, 'a.b': 1 });
      expect((await contact(body)).status).toBe(200);
      const [message, ...others] = await server.db.collection('messages').find({ msg }).toArray();
      expect(others).toEqual([]);
      expect(Object.keys(message ?? {}).sort()).toEqual(
        ['_id', 'createdAt', 'msg', 'status', 'type', 'updatedAt'].sort(),
      );
      expect(message).toMatchObject({ type: '$where', status: true });
      expect(String(message?._id)).not.toBe(extra._id);
    });
  });

  it('should ignore the body of a transition, but refuse malformed JSON', async () => {
    const headers = { authorization: `Bearer ${author.accessToken}` };
    const path = '/blog/author/submit/66f1a2b3c4d5e6f708192a3b';
    const put = (body: string): Promise<RawAnswer> =>
      send(server.url, path, { ...json(body, { ...KEY, ...headers }), method: 'PUT' });
    expect(expectRefusal(await put(''), 404)).toBe('blog not found');
    expect(expectRefusal(await put('{"anything":1}'), 404)).toBe('blog not found');
    expect(expectRefusal(await put('{'), 400)).toBe('the body is not valid JSON');
  });
});
