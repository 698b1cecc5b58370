import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { PASSWORD, unique } from '../../support/factories.js';
import { startApp, type TestApp } from '../../support/start-app.js';

const ENV = {
  TRUST_PROXY: '127.0.0.1, 10.0.0.0/8, fd00::/8',
  RATE_LIMITS: 'on',
  LIMIT_SIGNUP: '1/1h',
};

const FORWARDED = { 'x-forwarded-for': '203.0.113.9' };
const missingProxyWarnings = ({ log }: TestApp): string[] =>
  log.filter((line) => line.includes('TRUST_PROXY'));

async function ask({ client }: TestApp, times: number, headers = {}): Promise<void> {
  for (let n = 0; n < times; n++) await client.get('/auth/verify/apikey', { headers });
}

/** Client prefix of the tests, which act as the proxy. */
const PROXY_PREFIX = '127.0.0.0/24';
const CLIENT_PREFIX = '203.0.113.0/24';
const CLIENT_PREFIX_6 = '2001:0db8:0000:0000::/56';

describe('X-Forwarded-For of a trusted proxy', () => {
  let server: TestApp;

  beforeAll(async () => {
    server = await startApp({ env: ENV });
  });

  afterEach(async () => {
    await server.db.collection('rate_limits').deleteMany();
  });

  const addressWarnings = (): string[] =>
    server.log.filter((line) => line.includes('x-forwarded-for'));
  const from = (forwarded: string) => ({ headers: { 'x-forwarded-for': forwarded } });

  /** The client prefix for which a message is counted. */
  async function clientPrefixOf(forwarded: string): Promise<string[]> {
    const message = { type: 'question', msg: 'Who am I?' };
    const { status } = await server.client.post('/contact', message, from(forwarded));
    expect(status).toBe(200);
    const counters = await server.db.collection('rate_limits').find().toArray();
    return counters.map(({ key }) => String(key).replace('contact:', ''));
  }

  const signUp = async (forwarded: string): Promise<number> => {
    const body = { email: `${unique('new')}@example.org`, password: PASSWORD, name: 'New' };
    return (await server.client.post('/auth/signup/basic', body, from(forwarded))).status;
  };

  // ip-address.spec.ts tests every form of an address.
  it.each([
    ['203.0.113.7:1234', CLIENT_PREFIX],
    ['[2001:DB8::1]:443', CLIENT_PREFIX_6],
    ['203.0.113.7:1234, [fd00::1]:443, 127.0.0.1:80', CLIENT_PREFIX],
    // The client has sent the first address itself; the proxies have appended the others.
    ['10.1.2.3:80, 203.0.113.7:1234, 10.1.2.3:80', CLIENT_PREFIX],
    ['unknown, 203.0.113.7:1234', CLIENT_PREFIX],
  ])('should be parsed: %s counts for %s', async (forwarded, expected) => {
    expect(await clientPrefixOf(forwarded)).toEqual([expected]);
    expect(addressWarnings()).toEqual([]);
  });

  it.each(['203.0.113.%:1234', '[2001:db8:0:%::1]:443'])(
    'should limit sign-ups by client prefix with %s',
    async (pattern) => {
      const [first, second] = [pattern.replace('%', '7'), pattern.replace('%', '8')];
      const other = pattern.replace('113', '114').replace('db8', 'db9').replace('%', '7');
      expect([await signUp(first), await signUp(second)]).toEqual([200, 429]);
      expect(await signUp(other)).toBe(200);
    },
  );

  it('should cause no warning about a proxy that is missing in TRUST_PROXY', async () => {
    await ask(server, 30, FORWARDED);
    expect(missingProxyWarnings(server)).toEqual([]);
  });

  describe('without an IP address', () => {
    it.each([
      ['nothing', ''],
      ['unknown', 'unknown'],
      ['10 kB of digits', '1'.repeat(10_000)],
      ['a name before a trusted proxy', 'unknown, 10.1.2.3:80'],
    ])('should count for the client prefix of the proxy: %s', async (_, forwarded) => {
      expect(await clientPrefixOf(forwarded)).toEqual([PROXY_PREFIX]);
    });

    it('should not affect clients with an IP address, and log one warning', async () => {
      expect([await signUp('unknown'), await signUp('_hidden')]).toEqual([200, 429]);
      expect(await signUp('203.0.113.7:1234')).toBe(200);
      expect(addressWarnings()).toHaveLength(1);
      expect(JSON.parse(addressWarnings()[0] ?? '{}')).toMatchObject({
        level: 40,
        msg:
          'the proxy 127.0.0.1 named a client in x-forwarded-for that is no IP address: ' +
          "let it append the client's address, or all such clients share its rate limit",
      });
    });
  });
});

describe('the warning about a proxy that is missing in TRUST_PROXY', () => {
  it('should be logged once, after twenty requests other than health checks', async () => {
    const server = await startApp();
    await server.client.get('/health/live');
    await ask(server, 19, FORWARDED);
    expect(missingProxyWarnings(server)).toEqual([]);
    await ask(server, 30, FORWARDED);
    expect(missingProxyWarnings(server)).toHaveLength(1);
    expect(JSON.parse(missingProxyWarnings(server)[0] ?? '{}')).toMatchObject({
      level: 40,
      msg: expect.stringContaining('came from 127.0.0.1 with x-forwarded-for'),
    });
  });

  it('should not be logged when one request was not forwarded', async () => {
    const server = await startApp();
    await ask(server, 5, FORWARDED);
    await ask(server, 1);
    await ask(server, 30, FORWARDED);
    expect(missingProxyWarnings(server)).toEqual([]);
  });
});
