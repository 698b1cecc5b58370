import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import mongoose from 'mongoose';
import { UserService } from '../../../../src/user/user.service.js';
import { blogBody, person, unique, type Person } from '../../../support/factories.js';
import { API_KEY, startApp, type TestApp } from '../../../support/start-app.js';
import { until } from '../../../support/time/wait.js';
import { linesOf, requestLines, type Line } from './log-lines.js';
import { json, send, sendBytes } from '../raw-http.js';

const KEY = { 'x-api-key': API_KEY };

describe('The log of a whole session', () => {
  let server: TestApp;
  const secrets: Record<string, string> = {};

  /** A value to search for in the log; letters only, so that no encoding changes it. */
  function secret(label: string): string {
    const value = `S${unique('ecret').replaceAll(/[^a-z0-9]/g, '')}z`;
    secrets[label] = value;
    return value;
  }

  beforeAll(async () => {
    server = await startApp({ env: { LOG_REQUESTS: 'all', LOG_LEVEL: 'trace' } });
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** Secrets in the usual request headers. */
  function headers(): Record<string, string> {
    return {
      ...KEY,
      'user-agent': secret('user agent'),
      cookie: `session=${secret('cookie')}`,
      referer: `https://${secret('referer')}.example/`,
      'x-forwarded-for': '203.0.113.77',
      origin: `https://${secret('origin').toLowerCase()}.example`,
      'x-anything': secret('other header'),
      'if-none-match': `"${secret('if-none-match')}"`,
    };
  }

  function forbidden(): string[] {
    return [API_KEY, '127.0.0.1', '::1', '203.0.113.77', ...Object.values(secrets)];
  }

  function expectClean(): void {
    // The address of the server itself may be logged.
    const log = server.log.filter((line) => !line.includes('Server listening at')).join('');
    expect(log).toContain('"request"');
    expect(forbidden().filter((text) => log.includes(text))).toEqual([]);
  }

  it('should contain no secret of sign-up, sign-in, refresh and sign-out', async () => {
    const email = `${secret('address').toLowerCase()}@example.org`;
    secrets['address'] = email;
    const password = secret('password');
    const signUp = { email, password, name: secret('name'), more: secret('unknown field') };
    const post = (path: string, body: unknown, more: Record<string, string> = {}) =>
      send(server.url, path, json(JSON.stringify(body), { ...headers(), ...more }));

    const signedUp = await post('/auth/signup/basic', signUp);
    expect(signedUp.status).toBe(200);
    expect((await post('/auth/signup/basic', signUp)).status).toBe(400);
    expect((await post('/auth/signup/basic', { ...signUp, name: '' })).status).toBe(422);
    expect((await post('/auth/signin/basic', { email, password: secret('guess') })).status).toBe(
      401,
    );
    const signedIn = await post('/auth/signin/basic', { email, password });
    const { accessToken, refreshToken } = JSON.parse(signedIn.text).data.tokens;
    Object.assign(secrets, { accessToken, refreshToken, signature: accessToken.split('.')[2] });

    const authorization = `Bearer ${accessToken}`;
    const wrong = { refresh_token: `${refreshToken}x` };
    expect((await post('/auth/refresh', wrong, { authorization })).status).toBe(401);
    const refreshed = await post(
      '/auth/refresh',
      { refresh_token: refreshToken },
      { authorization },
    );
    expect(refreshed.status).toBe(200);
    Object.assign(secrets, { successor: JSON.parse(refreshed.text).data.refreshToken });
    expect((await post('/auth/signout', {}, { authorization })).status).toBe(200);
    expect((await post('/auth/signout', {}, { authorization })).status).toBe(401);

    const other = {
      'x-api-key': secret('unknown key'),
      authorization: `Bearer ${secret('token')}`,
    };
    expect((await post('/auth/signout', {}, other)).status).toBe(403);
    const basic = { authorization: `Basic ${secret('basic credentials')}` };
    expect((await post('/auth/signout', {}, basic)).status).toBe(401);
    await requestLines(server, 11);
    expectClean();
  });

  it('should contain no content of a blog, URL or query', async () => {
    const author: Person = await person(server, 'AUTHOR');
    secrets['address of the author'] = author.email;
    secrets['name of the author'] = author.name;
    const authorization = `Bearer ${author.accessToken}`;
    const body = blogBody({
      title: secret('title'),
      description: secret('description'),
      draftText: `<p>${secret('draft')}</p>`,
      slug: secret('slug').toLowerCase(),
      tags: [secret('tag')],
    });
    secrets['slug'] = body.slug;
    const request = json(JSON.stringify(body), { ...headers(), authorization });
    expect((await send(server.url, '/blog/author', request)).status).toBe(200);
    expect((await send(server.url, '/blog/author', request)).status).toBe(400);
    const paths = [
      `/blog/slug/${body.slug}`,
      `/blogs/tag/${body.tags[0]}?page=1&q=${secret('query')}`,
      `/blogs/latest?page=${secret('bad page')}`,
      `/${secret('unknown path')}`,
      `/blog/slug/${secret('undecodable')}%`,
      `/blog/slug/${secret('over-long')}${'x'.repeat(3_000)}`,
    ];
    for (const path of paths) await send(server.url, path, { headers: headers() });
    await send(server.url, '/contact', json(`{"type":"${secret('broken body')}`, headers()));
    await send(server.url, '/contact', json(`${secret('no JSON')}`, headers()));
    await until('the last line', () => server.log.join('').includes('"/contact"'));
    expectClean();
  });

  it('should contain the cause of a 500 without the values in driver errors', async () => {
    const users = server.app.get(UserService, { strict: false });
    const value = secret('duplicate value');
    const invalid = new mongoose.Error.ValidationError();
    invalid.addError(
      'email',
      new mongoose.Error.CastError('String', { nested: secret('cast value') }, 'email'),
    );
    const errors = [
      new mongoose.mongo.MongoServerError({
        message: `E11000 duplicate key error collection: db.users index: email_1 dup key: { email: "${value}" }`,
        code: 11_000,
        keyValue: { email: value },
        errInfo: { details: secret('details') },
      }),
      new mongoose.Error.CastError('ObjectId', secret('bad cast'), 'author'),
      invalid,
      Object.assign(new Error('plain'), { body: secret('attached'), cause: secret('cause') }),
      secret('thrown text'),
      { message: secret('thrown object') },
    ];
    for (const error of errors) {
      jest.spyOn(users, 'isRegistered').mockRejectedValueOnce(error);
      const signUp = { email: 'a@example.org', password: secret('password'), name: 'Ada' };
      const answer = await send(
        server.url,
        '/auth/signup/basic',
        json(JSON.stringify(signUp), headers()),
      );
      expect(answer.status).toBe(500);
    }
    await until('six causes', () => linesOf(server, 'failed').length === errors.length);
    const causes = linesOf(server, 'failed').map((line) => line['err'] as Line);
    expect(causes.map(({ type }) => type)).toEqual([
      'MongoServerError',
      'CastError',
      'ValidationError',
      'Error',
      'string',
      'object',
    ]);
    // The rest is enough to find the cause.
    expect(causes[0]).toMatchObject({
      code: 11_000,
      message: 'E11000 duplicate key error collection: db.users index: email_1',
    });
    expect(causes[0]?.['stack']).toContain('log.e2e-spec');
    expect(causes[1]?.['message']).toContain('author');
    expect(causes[2]?.['message']).toContain('email');
    expect(causes[3]).toMatchObject({ message: 'plain' });
    expectClean();
  });

  it('should not allow log injection by headers', async () => {
    const forged = secret('forged line');
    const forgeries = [
      `x-request-id: a\r\n\r\n{"level":30,"msg":"${forged}"}`,
      `x-request-id: a\n{"msg":"${forged}"}`,
      `x-request-id: a\r{"msg":"${forged}"}`,
      `x-request-id: a"},{"msg":"${forged}"`,
      `x-request-id: %0d%0a${forged}`,
      `user-agent: "\\n${forged}`,
    ];
    for (const forgery of forgeries) {
      const { status } = await sendBytes(
        server.url,
        `GET /health HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${forgery}\r\n\r\n`,
      );
      expect([200, 400]).toContain(status);
    }
    expectClean();
    for (const line of server.log) {
      expect(line.indexOf('\n')).toBe(line.length - 1);
      expect(() => JSON.parse(line) as unknown).not.toThrow();
    }
  });
});
