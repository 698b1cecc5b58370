import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/client.js';
import { PASSWORD, person, unique, type Person } from '../support/factories.js';
import { startApp, type TestApp } from '../support/start-app.js';

const LIMITS = {
  TRUST_PROXY: '127.0.0.1',
  LIMIT_SIGNUP: '3/1h',
  LIMIT_CONTACT: '3/1h',
  LIMIT_PASSWORD: '3/1h',
};

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

type Send = (server: TestApp, who: Person, address: string) => Promise<Answer<unknown>>;

const signUp: Send = ({ client }, _, address) => {
  const email = `${unique('new')}@example.org`;
  return client.post(
    '/auth/signup/basic',
    { email, password: PASSWORD, name: 'New' },
    from(address),
  );
};

const ACTIONS: readonly (readonly [name: string, send: Send])[] = [
  ['POST /auth/signup/basic', signUp],
  [
    'POST /contact',
    ({ client }, _, address) =>
      client.post('/contact', { type: 'question', msg: 'Why?' }, from(address)),
  ],
  [
    'PUT /auth/password',
    (_, { client }, address) =>
      client.put(
        '/auth/password',
        { currentPassword: PASSWORD, newPassword: PASSWORD },
        from(address),
      ),
  ],
];

let server: TestApp;
let ada: Person;

beforeAll(async () => {
  server = await startApp({ env: { ...LIMITS, RATE_LIMITS: 'on' } });
  ada = await person(server);
});

beforeEach(async () => {
  await server.db.collection('rate_limits').deleteMany();
});

describe.each(ACTIONS)('%s', (_, send) => {
  it('should be refused the fourth time in an hour from one client prefix', async () => {
    for (let number = 1; number <= 3; number++) {
      expect((await send(server, ada, `192.0.2.${number}`)).status).toBe(200);
    }
    const { body, headers } = await send(server, ada, '192.0.2.200');
    expect(body).toMatchObject({ code: '10002', status: 429 });
    const seconds = Number(headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(3_500);
    expect(seconds).toBeLessThanOrEqual(3_600);
  });

  it('should work from another client prefix, and from the first one after the hour', async () => {
    for (let number = 1; number <= 4; number++) await send(server, ada, '192.0.2.1');
    expect((await send(server, ada, '198.51.100.1')).status).toBe(200);
    await server.db
      .collection('rate_limits')
      .updateMany({}, { $set: { expire: new Date(Date.now() - 1) } });
    expect((await send(server, ada, '192.0.2.1')).status).toBe(200);
  });
});

describe('changes of password and deletions of one account', () => {
  const HERE = '192.0.2.1';
  /** With an admin, because the last one cannot be deleted. */
  const start = async (env: Readonly<Record<string, string>>) => {
    const started = await startApp({ env: { ...env, RATE_LIMITS: 'on' } });
    await person(started, 'ADMIN');
    return started;
  };
  const change = ({ client }: Person, currentPassword = PASSWORD) =>
    client.put('/auth/password', { currentPassword, newPassword: PASSWORD }, from(HERE));
  const remove = ({ client }: Person, password = PASSWORD) =>
    client.delete('/profile/mine', { body: { password }, ...from(HERE) });
  const statuses = async (times: number, ask: () => Promise<Answer<unknown>>) => {
    const found: number[] = [];
    for (let number = 0; number < times; number++) found.push((await ask()).status);
    return found;
  };

  it('should not affect other accounts of the client prefix after 30 refusals of one', async () => {
    const generous = await start({ TRUST_PROXY: '127.0.0.1' });
    const [eve, bob] = [await person(generous), await person(generous)];
    const refused = await statuses(30, () => change(eve, 'wrong'));
    expect(refused.slice(0, 5)).toEqual([401, 401, 401, 401, 401]);
    expect(refused).not.toContain(200);
    // After the lockout: this 429 is the rate limit, which counts her account only.
    const { body } = await change(eve);
    expect(body.message).toMatch(/^too many attempts: try again in 3\d\d\d seconds$/);
    expect((await change(bob)).status).toBe(200);
    expect((await remove(bob)).status).toBe(200);
  });

  it('should have separate counters', async () => {
    // The last admin cannot be deleted.
    await person(server, 'ADMIN');
    const [eve, bob] = [await person(server), await person(server)];
    expect(await statuses(4, () => change(eve))).toEqual([200, 200, 200, 429]);
    expect((await remove(eve)).status).toBe(200);
    expect(await statuses(4, () => remove(bob, 'wrong'))).toEqual([401, 401, 401, 429]);
    expect((await change(bob)).status).toBe(200);
  });
});

describe('an invalid body', () => {
  it('should not be counted', async () => {
    for (let number = 0; number < 5; number++) {
      const { status } = await server.client.post('/auth/signup/basic', {}, from('192.0.2.1'));
      expect(status).toBe(422);
    }
    expect((await signUp(server, ada, '192.0.2.1')).status).toBe(200);
  });
});

describe('RATE_LIMITS=off', () => {
  it('should disable counting', async () => {
    const off = await startApp({
      env: { ...LIMITS, RATE_LIMITS: 'off', GUESSES_PER_ACCOUNT: '1/1h' },
    });
    const eve = await person(off);
    for (const [, send] of ACTIONS) {
      for (let number = 0; number < 5; number++) {
        expect((await send(off, eve, '192.0.2.1')).status).toBe(200);
      }
    }
    for (let number = 0; number < 5; number++) {
      const body = { email: eve.email, password: 'wrong' };
      expect((await off.client.post('/auth/signin/basic', body)).status).toBe(401);
    }
    expect(await off.db.collection('rate_limits').countDocuments()).toBe(0);
  });
});

describe('the alert for the number of all wrong passwords', () => {
  const warnings = ({ log }: TestApp): string[] =>
    log.filter((line) => line.includes('passwords were wrong'));
  const fail = ({ client }: TestApp, number: number) =>
    client.post(
      '/auth/signin/basic',
      { email: `somebody-${number}@example.org`, password: 'x' },
      { headers: { 'x-forwarded-for': `10.${number}.0.1` } },
    );

  it('should log one warning and refuse nobody', async () => {
    const warned = await startApp({ env: { ...LIMITS, RATE_LIMITS: 'on', GUESS_ALARM: '3/1h' } });
    for (let number = 1; number <= 6; number++) {
      expect((await fail(warned, number)).status).toBe(401);
      expect(warnings(warned)).toHaveLength(number < 3 ? 0 : 1);
    }
    const [line = '{}'] = warnings(warned);
    expect(JSON.parse(line)).toMatchObject({
      level: 40,
      msg: '3 passwords were wrong within 3600 seconds: someone may be guessing (GUESS_ALARM)',
    });
  });
});
