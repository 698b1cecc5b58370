import { once } from 'node:events';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals';
import { PasswordHasher } from '../../../src/auth/password/password-hasher.js';
import { PasswordBulkhead } from '../../../src/auth/password/password-bulkhead.js';
import type { Leave } from '../../../src/common/bulkhead/bounded-queue.js';
import { UnavailableError } from '../../../src/common/http/errors/api.errors.js';
import { UserService } from '../../../src/user/user.service.js';
import type { Answer } from '../../support/client.js';
import { PASSWORD, person, type Person } from '../../support/factories.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { until } from '../../support/wait.js';

const SIGN_IN = '/auth/signin/basic';
const SIGN_UP = '/auth/signup/basic';
const PASSWORD_PATH = '/auth/password';
const ACCOUNT = '/profile/mine';

/** How many wait for a place at most. */
const MAX_WAITING = 50;

type Send = (server: TestApp, who: Person) => Promise<Answer<unknown>>;

const signIn: Send = ({ client }, { email }) => client.post(SIGN_IN, { email, password: PASSWORD });
const signUp =
  (body: object): Send =>
  ({ client }, { email, name }) =>
    client.post(SIGN_UP, { email, name, password: PASSWORD, ...body });

const ROUTES: readonly (readonly [name: string, send: Send])[] = [
  [`POST ${SIGN_IN}`, ({ client }) => client.post(SIGN_IN, {})],
  [`POST ${SIGN_UP}`, ({ client }) => client.post(SIGN_UP, {})],
  [`PUT ${PASSWORD_PATH}`, (_, { client }) => client.put(PASSWORD_PATH, {})],
  [`DELETE ${ACCOUNT}`, (_, { client }) => client.delete(ACCOUNT, { body: {} })],
];

describe('the room for requests that hash a password', () => {
  let server: TestApp;
  let ada: Person;

  beforeAll(async () => {
    server = await startApp({
      env: { RATE_LIMITS: 'on', LIMIT_SIGNUP: '1000/1h', LIMIT_PASSWORD: '1000/1h' },
    });
    // Nobody may go who is the last one.
    await person(server, 'ADMIN');
  });

  afterAll(async () => {
    await server.close();
  });

  beforeEach(async () => {
    ada = await person(server);
    await counters().deleteMany();
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  const counters = () => server.db.collection('rate_limits');
  const hasher = () => server.app.get(PasswordHasher);
  const room = () => server.app.get(PasswordBulkhead);
  const line = () => room()['line'];
  /** How many requests are at work, and how many wait. */
  const load = () => [line()['inside'], line()['waiting'].size];
  const untilEmpty = () => until('every place to be given back', () => load().join() === '0,0');

  /** Takes the places of all that may be at work, and of some that wait. @returns what frees them */
  async function occupy({ waiting }: { waiting: number }): Promise<() => Promise<void>> {
    const { width } = line()['options'];
    const inside = await Promise.all(Array.from({ length: width }, () => room().enter()));
    const others = Array.from({ length: waiting }, async () => (await room().enter())());
    return async () => {
      inside.forEach((leave: Leave) => leave());
      await Promise.all(others);
    };
  }

  function expectRefusal({ status, body, headers }: Answer<unknown>): void {
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('1');
    expect(body).toEqual({
      code: '10002',
      status: 503,
      message: 'too many passwords are being checked: try again in a moment',
    });
  }

  it.each(ROUTES)('should refuse %s when it is full, before all else', async (_, send) => {
    const leave = await occupy({ waiting: MAX_WAITING });
    const users = server.app.get(UserService);
    const asked = [jest.spyOn(users, 'findCredentials'), jest.spyOn(users, 'isRegistered')];
    expectRefusal(await send(server, ada));
    for (const question of asked) expect(question).not.toHaveBeenCalled();
    expect(await counters().countDocuments()).toBe(0);
    await leave();
    // The body is wrong, after all.
    expect((await send(server, ada)).status).toBe(422);
    await untilEmpty();
  });

  it('should keep no place for a request without a key', async () => {
    const leave = await occupy({ waiting: MAX_WAITING });
    const keyless = server.client.with({ 'x-api-key': null });
    expect((await keyless.post(SIGN_IN, {})).status).toBe(401);
    const unknown = server.client.with({ 'x-api-key': 'unknown' });
    expect((await unknown.post(SIGN_IN, {})).status).toBe(403);
    const tokenless = await server.client.put(PASSWORD_PATH, {});
    expect(tokenless.status).toBe(401);
    await leave();
  });

  it('should let a request wait for its turn', async () => {
    const leave = await occupy({ waiting: 0 });
    const answer = signIn(server, ada);
    await until('it to wait', () => line()['waiting'].size === 1);
    await leave();
    expect((await answer).status).toBe(200);
    await untilEmpty();
  });

  it('should let in and wait only as many as there are places, when all come at once', async () => {
    const { width } = line()['options'];
    const users = server.app.get(UserService);
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const findCredentials = users.findCredentials.bind(users);
    const find = jest.spyOn(users, 'findCredentials').mockImplementation(async (by) => {
      await held;
      return findCredentials(by);
    });
    jest.spyOn(hasher(), 'matches').mockResolvedValue(false);
    const email = (number: number) => `nobody-${number}@example.org`;
    const statuses: number[] = [];
    const answers = Array.from({ length: 200 }, async (_, number) => {
      const body = { email: email(number), password: PASSWORD };
      statuses.push((await server.client.post(SIGN_IN, body)).status);
    });
    await until('the rest to be refused', () => statuses.length === 200 - width - MAX_WAITING);
    expect(new Set(statuses)).toEqual(new Set([503]));
    expect(load()).toEqual([width, MAX_WAITING]);
    expect(find).toHaveBeenCalledTimes(width);
    letGo();
    await Promise.all(answers);
    expect(statuses.filter((status) => status === 401)).toHaveLength(width + MAX_WAITING);
    expect(load()).toEqual([0, 0]);
    // None of those that were refused has counted as a guess.
    const [network] = await counters()
      .find({ key: /^guess-network-failures/ })
      .toArray();
    expect(network?.['points']).toBe(width + MAX_WAITING);
  });

  it.each<readonly [what: string, send: Send, status: number]>([
    ['a success', signIn, 200],
    [
      'a wrong password',
      ({ client }, { email }) => client.post(SIGN_IN, { email, password: 'x' }),
      401,
    ],
    ['an unknown account', signInAs('nobody@example.org'), 401],
    ['a body that does not fit', ({ client }) => client.post(SIGN_IN, {}), 422],
    ['an address that is taken', signUp({}), 400],
    ['a common password', signUp({ email: 'new@example.org', password: 'password1' }), 422],
    [
      'a change with a wrong password',
      (_, { client }) =>
        client.put(PASSWORD_PATH, { currentPassword: 'x', newPassword: 'four candles' }),
      401,
    ],
    [
      'a deletion',
      (_, { client }) => client.delete(ACCOUNT, { body: { password: PASSWORD } }),
      200,
    ],
  ])('should have its place back after %s', async (_, send, status) => {
    expect((await send(server, ada)).status).toBe(status);
    expect(load()).toEqual([0, 0]);
  });

  function signInAs(email: string): Send {
    return ({ client }) => client.post(SIGN_IN, { email, password: PASSWORD });
  }

  it.each([
    ['a thread that was lost', new UnavailableError('lost'), 503],
    ['a defect', new Error('a defect'), 500],
  ])('should have its place back after %s', async (_, error, status) => {
    jest.spyOn(hasher(), 'matches').mockRejectedValueOnce(error);
    expect((await signIn(server, ada)).status).toBe(status);
    expect(load()).toEqual([0, 0]);
  });

  describe('whose client goes', () => {
    /** Begins a sign-in. @returns what cuts it off, and resolves when the server knows */
    function begin(): () => Promise<void> {
      const body = JSON.stringify({ email: ada.email, password: PASSWORD });
      const headers = { ...server.client.headers, 'content-type': 'application/json' };
      const options = { method: 'POST', agent: false, headers } as const;
      const http = server.app.getHttpServer();
      const connection = once(http, 'connection') as Promise<[Socket]>;
      const outgoing = request(server.url + SIGN_IN, options).end(body);
      outgoing.on('error', () => undefined);
      return async () => {
        outgoing.destroy();
        const [socket] = await connection;
        await until('the server to know', () => socket.destroyed);
      };
    }

    it('should be dropped without being checked, if it waits', async () => {
      const leave = await occupy({ waiting: 0 });
      const logged = server.log.length;
      const find = jest.spyOn(server.app.get(UserService), 'findCredentials');
      const cut = begin();
      await until('it to wait', () => line()['waiting'].size === 1);
      await cut();
      await leave();
      await untilEmpty();
      expect(find).not.toHaveBeenCalled();
      // Such a request has no address any more, which its handler would take for a defect.
      expect(server.log.slice(logged).filter((line) => line.includes('"level":50'))).toEqual([]);
    });

    it('should keep its place as long as its password is being checked', async () => {
      let check = (): void => undefined;
      const checked = new Promise<void>((resolve) => (check = resolve));
      const matches = jest.spyOn(hasher(), 'matches').mockImplementation(async () => {
        await checked;
        return false;
      });
      const cut = begin();
      await until('it to be checked', () => matches.mock.calls.length === 1);
      await cut();
      expect(load()).toEqual([1, 0]);
      check();
      await untilEmpty();
      // Nobody has heard that it was wrong, and it counts all the same.
      await until('the guess to count', async () => (await failures()) === 1);
    });

    const failures = () => counters().countDocuments({ key: /^guess-account-failures/, points: 1 });
  });

  it('should refuse who has waited too long, long before the deadline of the request', async () => {
    const options = line()['options'];
    const { maxWaitMs } = options;
    expect(maxWaitMs).toBeLessThanOrEqual(2_500);
    const leave = await occupy({ waiting: 0 });
    try {
      Object.assign(options, { maxWaitMs: 100 });
      expectRefusal(await signIn(server, ada));
      expect(await counters().countDocuments()).toBe(0);
    } finally {
      Object.assign(options, { maxWaitMs });
      await leave();
    }
    expect((await signIn(server, ada)).status).toBe(200);
    await untilEmpty();
  });
});
