import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import {
  createClient,
  NetworkError,
  UnauthorizedError,
  type ClientOptions,
  type PressroomClient,
  type TokenStorage,
} from '../../client/src/index.ts';
import { addPasskey, Authenticator } from '../auth/factors/authenticator.js';
import { account, PASSWORD, person } from '../support/factories.js';
import { API_KEY, startApp, type TestApp } from '../support/start-app.js';
import { holdClock, MINUTE, SECOND, type HeldClock } from '../support/time/clock.js';
import { until } from '../support/time/wait.js';
import { Proxy } from './proxy.js';

const MINE = '/profile/mine';
const REFRESH = '/auth/refresh';

/** Behaves like AsyncStorage: every access takes a turn of the event loop. */
class SlowStorage implements TokenStorage {
  readonly items = new Map<string, string>();

  async getItem(key: string): Promise<string | null> {
    await new Promise(setImmediate);
    return this.items.get(key) ?? null;
  }

  async setItem(key: string, value: string): Promise<void> {
    await new Promise(setImmediate);
    this.items.set(key, value);
  }

  async removeItem(key: string): Promise<void> {
    await new Promise(setImmediate);
    this.items.delete(key);
  }
}

describe('the session of a client', () => {
  let server: TestApp;
  let proxy: Proxy;
  let clock: HeldClock;
  let storage: SlowStorage;
  let email: string;
  let signedOutCalls: number;

  const open = (options: Partial<ClientOptions> = {}): PressroomClient =>
    createClient({
      url: proxy.url,
      apiKey: API_KEY,
      storage,
      onSignedOut: () => {
        signedOutCalls += 1;
      },
      ...options,
    });
  const signedInClient = async (): Promise<PressroomClient> => {
    const client = open();
    await client.signIn({ email, password: PASSWORD });
    return client;
  };
  const stored = () => JSON.parse(storage.items.get('pressroom') ?? '{}') as Record<string, string>;
  const sessionId = () => new Types.ObjectId(stored()['refreshToken']?.split('.')[2]);
  /** How often the tokens of the session were exchanged; undefined when it has ended. */
  const exchanges = async (): Promise<unknown> =>
    (await server.db.collection('sessions').findOne({ _id: sessionId() }))?.['counter'];
  const endSessionOnServer = async (): Promise<void> => {
    await server.db.collection('sessions').deleteOne({ _id: sessionId() });
    server.invalidateCaches();
  };

  beforeAll(async () => {
    server = await startApp();
    proxy = await Proxy.open(server.url);
    ({ email } = await account(server));
  });

  beforeEach(() => {
    clock = holdClock(server.app);
    storage = new SlowStorage();
    signedOutCalls = 0;
    proxy.reset();
  });

  afterEach(() => clock.release());

  it('should be opened by a sign-up, and ended by a sign-out', async () => {
    const client = open();
    expect(await client.isSignedIn()).toBe(false);
    const user = await client.signUp({
      email: `new-${email}`,
      password: PASSWORD,
      name: 'Somebody New',
    });
    expect(user.email).toBe(`new-${email}`);
    expect((await client.get(MINE))._id).toBe(user._id);
    await client.signOut();
    expect(await client.isSignedIn()).toBe(false);
    expect(storage.items.size).toBe(0);
    await expect(client.get(MINE)).rejects.toThrow(UnauthorizedError);
    expect(signedOutCalls).toBe(0);
  });

  it('should not be ended by a wrong password', async () => {
    const client = await signedInClient();
    const password = { currentPassword: 'another one', newPassword: 'correct horse staple' };
    await expect(client.put('/auth/password', { body: password })).rejects.toThrow(
      UnauthorizedError,
    );
    expect(await client.isSignedIn()).toBe(true);
  });

  it('should be refreshed once for 50 calls at the same time', async () => {
    const client = await signedInClient();
    clock.advance(16 * MINUTE);
    proxy.reset();
    const calls = Array.from({ length: 50 }, () => client.get(MINE));
    const emails = (await Promise.all(calls)).map((user) => user.email);
    expect(new Set(emails)).toEqual(new Set([email]));
    expect(emails).toHaveLength(50);
    expect(proxy.to(REFRESH)).toHaveLength(1);
    expect(await exchanges()).toBe(1);
  });

  it.each(['lose answer', 'never answer'] as const)(
    'should survive a refresh with the fate "%s"',
    async (fate) => {
      await signedInClient();
      const client = open({ timeoutMs: 2_000 });
      clock.advance(16 * MINUTE);
      proxy.reset('pass', fate);
      expect((await client.get(MINE)).email).toBe(email);
      expect(proxy.to(REFRESH)).toHaveLength(2);
      expect(await exchanges()).toBe(1);
      expect((await open().get(MINE)).email).toBe(email);
    },
  );

  it('should be kept while the server cannot be reached', async () => {
    const client = open({ retries: 0 });
    await client.signIn({ email, password: PASSWORD });
    clock.advance(16 * MINUTE);
    proxy.reset('pass', 'lose request');
    await expect(client.get(MINE)).rejects.toThrow(NetworkError);
    expect((await client.get(MINE)).email).toBe(email);
    expect(signedOutCalls).toBe(0);
  });

  it('should be opened by a passkey', async () => {
    const owner = await person(server);
    const passkey = new Authenticator();
    await addPasskey(owner, passkey);
    const ask = (options: object): Promise<object> =>
      Promise.resolve(JSON.parse(passkey.get(options as { challenge: string })) as object);
    const client = open();
    expect((await client.signInByPasskey(ask)).email).toBe(owner.email);
    expect((await client.get(MINE)).email).toBe(owner.email);
    await expect(client.signInByPasskey(() => Promise.resolve(null))).rejects.toThrow(
      UnauthorizedError,
    );
  });

  it('should be refreshed by one tab for all tabs', async () => {
    const [one, other] = [await signedInClient(), open()];
    await other.get(MINE);
    clock.advance(16 * MINUTE);
    await one.get(MINE);
    clock.advance(11 * SECOND);
    proxy.reset();
    expect((await other.get(MINE)).email).toBe(email);
    expect(proxy.to(REFRESH)).toHaveLength(0);
  });

  it('should survive a refresh by two tabs at the same time', async () => {
    const [one, other] = [await signedInClient(), open()];
    await other.get(MINE);
    clock.advance(16 * MINUTE);
    await Promise.all([one.get(MINE), other.get(MINE)]);
    clock.advance(16 * MINUTE);
    expect((await other.get(MINE)).email).toBe(email);
    expect((await one.get(MINE)).email).toBe(email);
  });

  it('should end, and call onSignedOut once, when the server has ended it', async () => {
    const client = await signedInClient();
    await endSessionOnServer();
    const calls = [client.get(MINE), client.get(MINE)];
    for (const { status } of await Promise.allSettled(calls)) expect(status).toBe('rejected');
    expect(signedOutCalls).toBe(1);
    expect(await client.isSignedIn()).toBe(false);
    expect(storage.items.size).toBe(0);
  });

  it('should end when the server has ended it before a refresh', async () => {
    const client = await signedInClient();
    await endSessionOnServer();
    clock.advance(16 * MINUTE);
    await expect(client.get(MINE)).rejects.toThrow(UnauthorizedError);
    expect(signedOutCalls).toBe(1);
    expect(await client.isSignedIn()).toBe(false);
  });

  it('should not repeat a call as another user, who has signed in in another tab meanwhile', async () => {
    const client = await signedInClient();
    await endSessionOnServer();
    const { email: eve } = await account(server);
    await open().signIn({ email: eve, password: PASSWORD });
    await expect(client.get(MINE)).rejects.toThrow(UnauthorizedError);
    expect((await client.get(MINE)).email).toBe(eve);
    expect(signedOutCalls).toBe(0);
  });

  it('should stay ended when another tab signs out during a refresh', async () => {
    const client = await signedInClient();
    clock.advance(16 * MINUTE);
    const call = client.get(MINE);
    call.catch(() => undefined);
    await until('the refresh to be sent', () => proxy.to(REFRESH).length > 0, 10_000, 1);
    storage.items.clear();
    await expect(call).rejects.toThrow(UnauthorizedError);
    expect(storage.items.size).toBe(0);
    expect(await client.isSignedIn()).toBe(false);
  });

  it('should be refreshed although the call that needed the refresh was aborted', async () => {
    const client = await signedInClient();
    clock.advance(16 * MINUTE);
    const controller = new AbortController();
    const call = client.get(MINE, { signal: controller.signal });
    await until('the refresh to be sent', () => proxy.to(REFRESH).length > 0, 10_000, 1);
    controller.abort(new Error('never mind'));
    await expect(call).rejects.toThrow('never mind');
    expect((await client.get(MINE)).email).toBe(email);
    expect(await exchanges()).toBe(1);
  });
});
