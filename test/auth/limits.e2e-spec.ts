import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/client.js';
import { PASSWORD, person, unique, type Person } from '../support/factories.js';
import { startApp, type TestApp } from '../support/start-app.js';

const LIMITS = {
  TRUST_PROXY: '127.0.0.1',
  LIMIT_SIGNUP: '3/1h',
  LIMIT_CONTACT: '3/1h',
  LIMIT_PASSWORD: '3/1h',
  GUESS_ALARM: '3/1h',
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
    const fromHere = () => send(server, ada, '192.0.2.1');
    for (let number = 1; number <= 3; number++) {
      expect((await send(server, ada, `192.0.2.${number}`)).status).toBe(200);
    }
    const { body, headers } = await fromHere();
    expect(body).toMatchObject({ code: '10002', status: 429 });
    const seconds = Number(headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(3_500);
    expect(seconds).toBeLessThanOrEqual(3_600);
    expect((await send(server, ada, '198.51.100.1')).status).toBe(200);
    const expire = new Date(Date.now() - 1);
    await server.db.collection('rate_limits').updateMany({}, { $set: { expire } });
    expect((await fromHere()).status).toBe(200);
  });
});

it('should count changes of password and deletions separately, and per account', async () => {
  const change = ({ client }: Person) =>
    client.put('/auth/password', { currentPassword: PASSWORD, newPassword: PASSWORD });
  const remove = ({ client }: Person, password = PASSWORD) =>
    client.delete('/profile/mine', { body: { password } });
  const statuses = async (times: number, ask: () => Promise<Answer<unknown>>) => {
    const found: number[] = [];
    for (let number = 0; number < times; number++) found.push((await ask()).status);
    return found;
  };
  // No account can be deleted while there is no admin.
  await person(server, 'ADMIN');
  const [eve, bob] = [await person(server), await person(server)];
  expect(await statuses(4, () => change(eve))).toEqual([200, 200, 200, 429]);
  expect((await remove(eve)).status).toBe(200);
  expect(await statuses(4, () => remove(bob, 'wrong'))).toEqual([401, 401, 401, 429]);
  expect((await change(bob)).status).toBe(200);
});

it('should not count an invalid body', async () => {
  for (let number = 0; number < 5; number++) {
    const { status } = await server.client.post('/auth/signup/basic', {}, from('192.0.2.1'));
    expect(status).toBe(422);
  }
  expect((await signUp(server, ada, '192.0.2.1')).status).toBe(200);
});

it('should warn once about many wrong passwords, and refuse nobody because of them', async () => {
  const before = server.log.length;
  const warnings = () => server.log.slice(before).filter((line) => line.includes('were wrong'));
  for (let number = 1; number <= 6; number++) {
    const body = { email: `somebody-${number}@example.org`, password: 'x' };
    const { status } = await server.client.post(
      '/auth/signin/basic',
      body,
      from(`10.${number}.0.1`),
    );
    expect(status).toBe(401);
    expect(warnings()).toHaveLength(number < 3 ? 0 : 1);
  }
  expect(JSON.parse(warnings()[0] ?? '{}')).toMatchObject({
    level: 40,
    msg: '3 passwords were wrong within 3600 seconds: someone may be guessing (GUESS_ALARM)',
  });
});
