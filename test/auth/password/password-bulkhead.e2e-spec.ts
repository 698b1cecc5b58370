import { once } from 'node:events';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PasswordHasher } from '../../../src/auth/password/password-hasher.js';
import { PasswordBulkhead } from '../../../src/auth/password/password-bulkhead.js';
import type { Release } from '../../../src/platform/overload/bulkhead/bulkhead.js';
import { AddressService } from '../../../src/user/address.service.js';
import { UserService } from '../../../src/user/user.service.js';
import type { Answer } from '../../support/client.js';
import { PASSWORD, person, type Person } from '../../support/factories.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { until } from '../../support/time/wait.js';

const SIGN_IN = '/auth/signin/basic';
const SIGN_UP = '/auth/signup/basic';
const PASSWORD_PATH = '/auth/password';
const ACCOUNT = '/profile/mine';

const MAX_QUEUED = 50;
/** The client prefix of all requests here. A full queue drops a request only for another client prefix. */
const CLIENT_PREFIX = '127.0.0.0/24';

type Send = (server: TestApp, who: Person) => Promise<Answer<unknown>>;

const signIn: Send = ({ client }, { email }) => client.post(SIGN_IN, { email, password: PASSWORD });

const ROUTES: readonly (readonly [name: string, send: Send])[] = [
  [`POST ${SIGN_IN}`, ({ client }) => client.post(SIGN_IN, {})],
  [`POST ${SIGN_UP}`, ({ client }) => client.post(SIGN_UP, {})],
  [`PUT ${PASSWORD_PATH}`, (_, { client }) => client.put(PASSWORD_PATH, {})],
  [`DELETE ${ACCOUNT}`, (_, { client }) => client.delete(ACCOUNT, { body: {} })],
];

describe('the bulkhead of requests that hash a password', () => {
  let server: TestApp;
  let ada: Person;
  /** How long a request may wait in the queue, in milliseconds. */
  let maxWaitMs: number;

  beforeAll(async () => {
    // The hashes take as long as in production, so that requests meet.
    server = await startApp({ env: { RATE_LIMITS: 'on', BCRYPT_COST: '10' } });
    ({ maxWaitMs } = bulkhead()['options']);
  });

  beforeEach(async () => {
    ada = await person(server);
    await counters().deleteMany();
  });

  afterEach(() => {
    letWait(maxWaitMs);
    jest.restoreAllMocks();
  });

  const counters = () => server.db.collection('rate_limits');
  const hasher = () => server.app.get(PasswordHasher);
  const bulkhead = () => server.app.get(PasswordBulkhead);
  /** Changes how long a request may wait, until the end of the test. */
  const letWait = (ms: number) => Object.assign(bulkhead()['options'], { maxWaitMs: ms });
  /** How many requests run, and how many are queued. */
  const load = () => [bulkhead()['held'].total, bulkhead().queueLength];
  const untilIdle = () => until('every slot to be free', () => load().join() === '0,0');

  /** Takes all slots, and queues this many callers. @returns a function that frees the slots */
  async function occupy({ queued }: { queued: number }): Promise<() => Promise<void>> {
    const { maxConcurrent } = bulkhead()['options'];
    const active = await Promise.all(
      Array.from({ length: maxConcurrent }, () => bulkhead().acquire()),
    );
    const waiting = Array.from({ length: queued }, async () =>
      (await bulkhead().acquire(CLIENT_PREFIX))(),
    );
    return async () => {
      active.forEach((release: Release) => release());
      await Promise.all(waiting);
    };
  }

  function expectRefusal({ status, body, headers }: Answer<unknown>): void {
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('1');
    expect(body).toEqual({
      code: '10002',
      status: 503,
      message: 'too many passwords are being checked: try again in a moment',
      reason: 'overloaded',
    });
  }

  it.each(ROUTES)(
    'should reject %s when the queue is full, before any other work',
    async (_, send) => {
      const release = await occupy({ queued: MAX_QUEUED });
      const users = server.app.get(UserService);
      const lookups = [
        jest.spyOn(users, 'findCredentials'),
        jest.spyOn(server.app.get(AddressService), 'isTaken'),
      ];
      expectRefusal(await send(server, ada));
      for (const lookup of lookups) expect(lookup).not.toHaveBeenCalled();
      expect(await counters().countDocuments()).toBe(0);
      await release();
      // Validation runs now, and the body is invalid.
      expect((await send(server, ada)).status).toBe(422);
      await untilIdle();
    },
  );

  it('should not queue a request without a valid API key or token', async () => {
    const release = await occupy({ queued: MAX_QUEUED });
    const keyless = server.client.with({ 'x-api-key': null });
    expect((await keyless.post(SIGN_IN, {})).status).toBe(401);
    const unknown = server.client.with({ 'x-api-key': 'unknown' });
    expect((await unknown.post(SIGN_IN, {})).status).toBe(403);
    const tokenless = await server.client.put(PASSWORD_PATH, {});
    expect(tokenless.status).toBe(401);
    await release();
  });

  it('should run and queue concurrent requests up to its limits', async () => {
    const { maxConcurrent } = bulkhead()['options'];
    // On a busy machine, the 200 requests take longer than a queued one may wait.
    letWait(30_000);
    const users = server.app.get(UserService);
    let letLookupsRun = (): void => undefined;
    const lookupsMayRun = new Promise<void>((resolve) => (letLookupsRun = resolve));
    const findCredentials = users.findCredentials.bind(users);
    const find = jest.spyOn(users, 'findCredentials').mockImplementation(async (account) => {
      await lookupsMayRun;
      return findCredentials(account);
    });
    jest.spyOn(hasher(), 'matches').mockResolvedValue(false);
    const email = (number: number) => `nobody-${number}@example.org`;
    const statuses: number[] = [];
    const answers = Array.from({ length: 200 }, async (_, number) => {
      const body = { email: email(number), password: PASSWORD };
      statuses.push((await server.client.post(SIGN_IN, body)).status);
    });
    await until(
      'all requests beyond the full queue to be refused',
      () => statuses.length === 200 - maxConcurrent - MAX_QUEUED,
    );
    expect(new Set(statuses)).toEqual(new Set([503]));
    expect(load()).toEqual([maxConcurrent, MAX_QUEUED]);
    expect(find).toHaveBeenCalledTimes(maxConcurrent);
    letLookupsRun();
    await Promise.all(answers);
    expect(statuses.filter((status) => status === 401)).toHaveLength(maxConcurrent + MAX_QUEUED);
    expect(load()).toEqual([0, 0]);
    // A rejected request does not count as a login attempt.
    const [failures] = await counters()
      .find({ key: /^guess-network-failures/ })
      .toArray();
    expect(failures?.['points']).toBe(maxConcurrent + MAX_QUEUED);
  });

  it('should free the slot after an unexpected error', async () => {
    jest.spyOn(hasher(), 'matches').mockRejectedValueOnce(new Error('a defect'));
    expect((await signIn(server, ada)).status).toBe(500);
    expect(load()).toEqual([0, 0]);
  });

  describe('when the client disconnects', () => {
    /** Begins a sign-in. @returns a function that disconnects the client, and waits until the server has noticed */
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
        await until('the server to notice', () => socket.destroyed);
      };
    }

    it('should drop a queued request without checking its password', async () => {
      const release = await occupy({ queued: 0 });
      const logged = server.log.length;
      const find = jest.spyOn(server.app.get(UserService), 'findCredentials');
      const disconnect = begin();
      await until('the request to wait', () => bulkhead().queueLength === 1);
      await disconnect();
      await release();
      await untilIdle();
      expect(find).not.toHaveBeenCalled();
      // A destroyed socket has no IP address, so a handler would fail with status 500.
      expect(server.log.slice(logged).filter((line) => line.includes('"level":50'))).toEqual([]);
    });

    it('should keep the slot while the password is being checked', async () => {
      let finishCheck = (): void => undefined;
      const finished = new Promise<void>((resolve) => (finishCheck = resolve));
      const matches = jest.spyOn(hasher(), 'matches').mockImplementation(async () => {
        await finished;
        return false;
      });
      const disconnect = begin();
      await until('the check to begin', () => matches.mock.calls.length === 1);
      await disconnect();
      expect(load()).toEqual([1, 0]);
      finishCheck();
      await untilIdle();
      // The password was wrong. The attempt counts, although the client got no answer.
      await until('the attempt to count', async () => (await failures()) === 1);
    });

    const failures = () => counters().countDocuments({ key: /^guess-account-failures/, points: 1 });
  });

  it('should reject a request that has waited too long, within half of its deadline', async () => {
    expect(maxWaitMs).toBeLessThanOrEqual(2_500);
    const release = await occupy({ queued: 0 });
    try {
      letWait(100);
      expectRefusal(await signIn(server, ada));
      expect(await counters().countDocuments()).toBe(0);
    } finally {
      letWait(maxWaitMs);
      await release();
    }
    expect((await signIn(server, ada)).status).toBe(200);
    await untilIdle();
  });

  // This test comes last, because it closes the server.
  it('should let running checks finish when the server stops', async () => {
    const matches = jest.spyOn(hasher(), 'matches');
    const answer = signIn(server, ada);
    await until('the password to be checked', () => matches.mock.calls.length === 1);
    const [{ status }] = await Promise.all([answer, server.close()]);
    expect(status).toBe(200);
  });
});
