import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../../support/start-app.js';
import { makeKey } from '../../support/jwt.js';
import { holdClock, MINUTE, SECOND } from '../../support/time/clock.js';
import { begin, comeBack, exchange, newVerifier, RETURN_URL, settings } from './browser.js';
import { startFakeIssuer, type FakeIssuer, type Fault } from './fake-issuer.js';

const START = '/auth/oidc/start';

let fake: FakeIssuer;
let server: TestApp;

beforeAll(async () => {
  fake = await startFakeIssuer();
  server = await startApp({ env: settings(fake.issuer) });
});

beforeEach(() => {
  fake.fault = {};
});

/** Goes to the issuer and back. @param change changes what the issuer sends */
async function returned(change: (query: URLSearchParams) => void = () => undefined) {
  const { url, cookie, verifier } = await begin(server);
  const query = fake.answer(url);
  change(query);
  return { ...(await comeBack(server, query, cookie)), verifier, query, cookie };
}

describe('an answer of the provider', () => {
  it('should be accepted without a fault', async () => {
    const { oidcCode = '', verifier } = await returned();
    expect((await exchange(server, oidcCode, verifier)).status).toBe(200);
  });

  const now = Math.floor(Date.now() / 1_000);

  it.each<[string, Fault]>([
    ['another nonce', { claims: { nonce: 'another' } }],
    ['no nonce', { claims: { nonce: undefined } }],
    ['another issuer', { claims: { iss: 'https://login.example' } }],
    ['another audience', { claims: { aud: 'another' } }],
    [
      'several audiences and another authorized party',
      { claims: { aud: ['pressroom', 'b'], azp: 'b' } },
    ],
    ['an expired ID token', { claims: { exp: now - 120, iat: now - 600 } }],
    ['an ID token of the future', { claims: { nbf: now + 600 } }],
    ['the signature of another key', { key: makeKey().privateKey }],
    ['no algorithm', { header: { alg: 'none' } }],
    ['an unknown key', { header: { kid: 'another' } }],
    [
      'a code that was used',
      {
        token: (response) =>
          response
            .writeHead(400, { 'content-type': 'application/json' })
            .end('{"error":"invalid_grant"}'),
      },
    ],
    [
      'no ID token',
      {
        token: (response) =>
          response
            .setHeader('content-type', 'application/json')
            .end('{"access_token":"a","token_type":"Bearer"}'),
      },
    ],
  ])('should be refused for %s', async (_name, fault) => {
    fake.fault = fault;
    const { to, oidcError, oidcCode } = await returned();
    expect([to, oidcError, oidcCode]).toEqual([RETURN_URL, 'oidc_refused', undefined]);
  });

  it.each<[string, (query: URLSearchParams) => void]>([
    ['an error', (query) => query.set('error', 'access_denied')],
    ['another issuer (RFC 9207)', (query) => query.set('iss', 'https://login.example')],
    ['no issuer (RFC 9207)', (query) => query.delete('iss')],
    ['no code', (query) => query.delete('code')],
  ])('should be refused with %s', async (_name, change) => {
    expect((await returned(change)).oidcError).toBe('oidc_refused');
  });

  it.each<[string, Fault['token']]>([
    ['an error page', (response) => response.writeHead(502).end('bad gateway')],
    ['a broken connection', (response) => response.destroy()],
    ['silence', () => undefined],
  ])('should be waited for only so long: %s', async (_name, token) => {
    fake.fault = token ? { token } : {};
    expect((await returned()).oidcError).toBe('oidc_unavailable');
  });
});

describe('a state', () => {
  it('should be bound to the browser by its cookie', async () => {
    const [own, other] = [await begin(server), await begin(server)];
    for (const cookie of ['', other.cookie, own.cookie.slice(0, -1)]) {
      const { to, oidcError } = await comeBack(server, fake.answer(own.url), cookie);
      expect([to, oidcError]).toEqual([RETURN_URL, 'oidc_state_invalid']);
    }
    const among = `a=b; ${own.cookie}; c=d`;
    expect((await comeBack(server, fake.answer(own.url), among)).oidcCode).toBeDefined();
  });

  it('should be good once and for ten minutes, and otherwise lead nowhere', async () => {
    const { query, cookie } = await returned();
    const again = (text: string) =>
      server.client.get(`/auth/oidc/callback?${text}`, { headers: { cookie } });
    for (const text of [query.toString(), 'state=unknown&code=c', '']) {
      const { status, body, headers } = await again(text);
      expect([status, body.reason]).toEqual([400, 'oidc_state_invalid']);
      expect(headers.get('location')).toBeNull();
    }
    const clock = holdClock(server.app);
    try {
      const begun = await begin(server);
      clock.advance(10 * MINUTE);
      const late = await server.client.get(
        `/auth/oidc/callback?${fake.answer(begun.url).toString()}`,
      );
      expect(late.body.reason).toBe('oidc_state_invalid');
    } finally {
      clock.release();
    }
  });

  it('should be in a cookie for this host, and the address in no log and no referrer', async () => {
    const { codeChallenge } = newVerifier();
    const answer = await server.client.post(START, { returnUrl: RETURN_URL, codeChallenge });
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-pressroom-oidc=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
      ),
    ]);
    const { query, cookie, oidcCode = '' } = await returned();
    const sent = await server.client.get(`/auth/oidc/callback?${query.toString()}`, {
      headers: { cookie },
    });
    expect(sent.headers.get('cache-control')).toBe('no-store');
    const again = await begin(server);
    const redirect = await server.client.get(
      `/auth/oidc/callback?${fake.answer(again.url).toString()}`,
      {
        headers: { cookie: again.cookie },
      },
    );
    expect(redirect.headers.get('referrer-policy')).toBe('no-referrer');
    expect(redirect.headers.get('cache-control')).toBe('no-store');
    const stored = JSON.stringify(await server.db.collection('one_time_tokens').find().toArray());
    const verifier = cookie.split('=')[1] ?? '';
    for (const secret of [oidcCode, query.get('state') ?? '', verifier]) {
      expect(secret).toHaveLength(43);
      expect(stored).not.toContain(secret);
      expect(server.log.join('')).not.toContain(secret);
    }
  });
});

describe('an address to return to', () => {
  it.each([
    'https://evil.example/',
    `${RETURN_URL}/`,
    `${RETURN_URL}?next=https://evil.example`,
    `${RETURN_URL}@evil.example`,
    RETURN_URL.toUpperCase(),
    'https://www.example',
    'javascript:alert(1)',
    '//evil.example',
  ])('should not be %s, which is not listed', async (returnUrl) => {
    const { status, body } = await server.client.post(START, { returnUrl, ...newVerifier() });
    expect([status, body.errors?.[0]?.field]).toEqual([422, 'returnUrl']);
  });

  it('should be that of the start, whatever the callback says', async () => {
    const { to } = await returned((query) => query.set('returnUrl', 'https://evil.example'));
    expect(to).toBe(RETURN_URL);
  });
});

describe('a code for the client', () => {
  it('should be good once, for the verifier of the start', async () => {
    const { oidcCode = '', verifier } = await returned();
    const enter = (given: string) => exchange(server, oidcCode, given);
    expect((await enter(newVerifier().verifier)).body.reason).toBe('oidc_code_invalid');
    const answers = await Promise.all([enter(verifier), enter(verifier), enter(verifier)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    expect((await enter(verifier)).body.reason).toBe('oidc_code_invalid');
    expect((await exchange(server, 'unknown', verifier)).body.reason).toBe('oidc_code_invalid');
  });

  it('should be good for a minute', async () => {
    const clock = holdClock(server.app);
    try {
      const [one, other] = [await returned(), await returned()];
      clock.advance(MINUTE - SECOND);
      expect((await exchange(server, one.oidcCode ?? '', one.verifier)).status).toBe(200);
      clock.advance(SECOND);
      const late = await exchange(server, other.oidcCode ?? '', other.verifier);
      expect(late.body.reason).toBe('oidc_code_invalid');
    } finally {
      clock.release();
    }
  });
});

describe('single sign-on', () => {
  it('should be absent without OIDC_ISSUER', async () => {
    const plain = await startApp();
    const { verifier, codeChallenge } = newVerifier();
    const answers = await Promise.all([
      plain.client.post(START, { returnUrl: RETURN_URL, codeChallenge }),
      plain.client.get('/auth/oidc/callback?state=a&code=b'),
      exchange(plain, 'a code', verifier),
    ]);
    const expected = [404, 'oidc_not_configured'];
    expect(answers.map(({ status, body }) => [status, body.reason])).toEqual([
      expected,
      expected,
      expected,
    ]);
  });

  it('should be limited by the network of the client, in each step', async () => {
    const env = { ...settings(fake.issuer), RATE_LIMITS: 'on', LIMIT_OIDC: '3/1h' };
    const limited = await startApp({ env });
    const { url, cookie, verifier } = await begin(limited);
    const { oidcCode = '' } = await comeBack(limited, fake.answer(url), cookie);
    expect((await exchange(limited, oidcCode, verifier)).status).toBe(200);
    const answers = await Promise.all([
      limited.client.post(START, { returnUrl: RETURN_URL, ...newVerifier() }),
      limited.client.get('/auth/oidc/callback?state=a&code=b'),
      exchange(limited, oidcCode, verifier),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([429, 429, 429]);
  });

  it('should start without the provider, and work once it answers', async () => {
    const later = await startFakeIssuer();
    const { issuer } = later;
    const down = await startApp({ env: settings('http://127.0.0.1:1') });
    const { codeChallenge } = newVerifier();
    const { status, body } = await down.client.post(START, {
      returnUrl: RETURN_URL,
      codeChallenge,
    });
    expect([status, body.reason]).toEqual([503, 'oidc_unavailable']);
    Object.assign(down.env, { OIDC_ISSUER: issuer });
    expect((await begin(down)).url.origin).toBe(issuer);
  });

  it('should allow credentials at the start only, and to listed origins only', async () => {
    const listed = await startApp({
      env: { ...settings(fake.issuer), CORS_ORIGINS: 'https://www.example' },
    });
    const credentials = async ({ client }: TestApp, path: string, method: string) => {
      const headers = { origin: 'https://www.example', 'access-control-request-method': 'POST' };
      const body = { returnUrl: RETURN_URL, ...newVerifier() };
      const options = method === 'POST' ? { body, headers } : { headers };
      const answer = await client.request(method, path, options);
      return answer.headers.get('access-control-allow-credentials');
    };
    expect(await credentials(listed, START, 'OPTIONS')).toBe('true');
    expect(await credentials(listed, START, 'POST')).toBe('true');
    expect(await credentials(listed, '/auth/oidc/exchange', 'OPTIONS')).toBeNull();
    // Any origin is allowed by default.
    expect(await credentials(server, START, 'OPTIONS')).toBeNull();
    expect(await credentials(server, START, 'POST')).toBeNull();
  });
});
