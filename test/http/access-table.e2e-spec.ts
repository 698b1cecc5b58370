import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Types } from 'mongoose';
import { AccessTokenService } from '../../src/auth/token/access-token.service.js';
import { ROLE_CODES, type RoleCode } from '../../src/common/access/role-code.js';
import { Clock } from '../../src/common/clock.js';
import { person, unknownId, type Person } from '../support/factories.js';
import { API_KEY, startApp, type TestApp } from '../support/start-app.js';
import { API_ROWS, DOCS_ROWS, PREFLIGHT_ROWS, type AccessRow } from './access-table.js';
import { expectCommonHeaders, expectRefusal, send, type RawAnswer } from './raw-http.js';
import { routesOf } from './router-listing.js';

const KEY = { 'x-api-key': API_KEY };

function names(table: readonly AccessRow[]): string[] {
  return table.map(({ method, path }) => `${method} ${path}`).sort();
}

describe('Every route of the running router', () => {
  let server: TestApp;
  /** By role: someone who holds it and no other but LEARNER, and someone who holds all others. */
  const holders = new Map<RoleCode, Person>();
  const others = new Map<RoleCode, Person>();
  let anyone: Person;

  beforeAll(async () => {
    server = await startApp();
    anyone = await person(server);
    for (const role of ['AUTHOR', 'EDITOR', 'ADMIN'] as const) {
      holders.set(role, await person(server, role));
      others.set(role, await person(server, ...ROLE_CODES.filter((code) => code !== role)));
    }
  });

  afterAll(async () => {
    await server.close();
  });

  it('should be a row of the table, and every row a route', () => {
    const table = [...API_ROWS, ...DOCS_ROWS, ...PREFLIGHT_ROWS];
    expect(routesOf(server.app).sort()).toEqual(names(table));
  });

  it('should be fewer without docs and origins', async () => {
    const bare = await startApp({
      uri: server.uri,
      env: { NODE_ENV: 'production', DOCS: 'off' },
    });
    try {
      expect(routesOf(bare.app).sort()).toEqual(names(API_ROWS));
    } finally {
      await bare.close();
    }
  });

  describe.each(API_ROWS)('$method $path', ({ method, path, key, token, role }) => {
    const address = path
      .replace(':id', unknownId())
      .replace(':slug', 'no-such-slug')
      .replace(':tag', 'no-such-tag');

    function probe(headers: Readonly<Record<string, string>>): Promise<RawAnswer> {
      return send(server.url, address, { method, headers });
    }

    /** A HEAD has no body to look at. */
    function expectRefused(
      answer: RawAnswer,
      status: number,
      message: string,
      code?: string,
    ): void {
      if (method !== 'HEAD') expect(expectRefusal(answer, status, code)).toBe(message);
      else {
        expect(answer).toMatchObject({ status, text: '' });
        expectCommonHeaders(answer.headers);
      }
    }

    function expectPassed({ status }: RawAnswer): void {
      expect([200, 400, 404, 422]).toContain(status);
    }

    function bearer(accessToken: string): Record<string, string> {
      return { ...KEY, authorization: `Bearer ${accessToken}` };
    }

    /** A token that was made an hour ago. */
    async function expired({ _id, accessToken }: Person): Promise<string> {
      const clock = jest.spyOn(server.app.get(Clock), 'now');
      clock.mockReturnValue(new Date(Date.now() - 3_600_000));
      try {
        const payload = accessToken.split('.')[1] ?? '';
        const { sid } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sid: string };
        const tokens = server.app.get(AccessTokenService, { strict: false });
        return await tokens.sign(new Types.ObjectId(_id), new Types.ObjectId(sid));
      } finally {
        clock.mockRestore();
      }
    }

    if (!key) {
      it('should be open to everyone', async () => {
        expectPassed(await probe({}));
        expectPassed(await probe({ 'x-api-key': 'wrong', authorization: 'Bearer wrong' }));
      });
      return;
    }

    it('should refuse a request without a key, whatever else it brings', async () => {
      const missing = 'permission denied: missing x-api-key header';
      const { accessToken } = role ? (holders.get(role) ?? anyone) : anyone;
      const authorization = `Bearer ${accessToken}`;
      expectRefused(await probe({}), 401, missing);
      expectRefused(await probe({ authorization }), 401, missing);
      expectRefused(await probe({ authorization, 'x-api-key': '' }), 401, missing);
      expectRefused(
        await probe({ authorization, 'x-api-key': 'wrong' }),
        403,
        'permission denied: invalid x-api-key',
      );
    });

    if (token === 'none') {
      it('should need nothing but a key', async () => {
        expectPassed(await probe(KEY));
      });
      return;
    }

    it('should refuse a request without a valid token', async () => {
      const missing = 'missing access token: send it as "Authorization: Bearer <token>"';
      expectRefused(await probe(KEY), 401, missing, '10003');
      for (const given of ['x', `${anyone.accessToken}x`, anyone.refreshToken]) {
        expectRefused(await probe(bearer(given)), 401, 'invalid access token', '10003');
      }
    });

    it(`should ${token === 'required' ? 'refuse' : 'accept'} an expired token`, async () => {
      const holder = role ? (holders.get(role) ?? anyone) : anyone;
      const answer = await probe(bearer(await expired(holder)));
      if (token === 'expired-ok') expectPassed(answer);
      else {
        expectRefused(answer, 401, 'access token has expired', '10003');
        expect(answer.headers['instruction']).toBe('refresh_token');
      }
    });

    if (role === null) {
      it('should be open to every signed-in caller', async () => {
        // A session of its own: some of these routes end it.
        expectPassed(await probe(bearer((await person(server)).accessToken)));
      });
      return;
    }

    it(`should be open to ${role} and to nobody else`, async () => {
      const holder = holders.get(role) ?? anyone;
      const other = others.get(role) ?? anyone;
      const refusal = 'permission denied: does not have sufficient role';
      expectRefused(await probe(bearer(other.accessToken)), 403, refusal);
      expectRefused(await probe(bearer(anyone.accessToken)), 403, refusal);
      expectPassed(await probe(bearer(holder.accessToken)));
    });
  });

  it.each(DOCS_ROWS)('should serve $method $path to everyone', async ({ method, path }) => {
    expect((await send(server.url, path, { method })).status).toBe(200);
  });
});
