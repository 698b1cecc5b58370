import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Types } from 'mongoose';
import { OneTimeTokens } from '../../../src/auth/one-time-tokens/one-time-tokens.service.js';
import { PASSWORD, person, unique, type Person } from '../../support/factories.js';
import { startApp, type TestApp } from '../../support/start-app.js';
import { holdClock, MINUTE, type HeldClock } from '../../support/time/clock.js';
import { until } from '../../support/time/wait.js';
import { addPasskey, Authenticator, signInByPasskey, type Deviations } from './authenticator.js';

const FACTORS = '/auth/factors';
const ORIGIN = 'https://press.example';

let server: TestApp;
let owner: Person;
let key: Authenticator;
let clock: HeldClock;

beforeAll(async () => {
  server = await startApp({ env: { SITE_ACCOUNT_URL: 'https://desk.press.example/account' } });
});

beforeEach(async () => {
  owner = await person(server);
  key = new Authenticator();
  clock = holdClock(server.app);
});

afterEach(() => clock.release());

const signIn = (deviations?: Deviations, authenticator = key) =>
  signInByPasskey(server.client, authenticator, deviations);

const begin = (client = owner.client) =>
  client.post<{ options: { challenge: string; user: { id: string; name: string } } }>(
    `${FACTORS}/passkeys/options`,
    { password: PASSWORD },
  );

const listed = async (client = owner.client) =>
  (await client.get<{ factors: { _id: string; name: string }[] }>(FACTORS)).body.data.factors;

const stored = () =>
  server.db.collection('factors').findOne({ user: new Types.ObjectId(owner._id), kind: 'passkey' });

describe('a passkey', () => {
  it('should sign in alone, and count as a second factor and as presence for five minutes', async () => {
    const added = await addPasskey(owner, key);
    expect(added.body.data.recoveryCodes).toHaveLength(10);
    const { status, body } = await signIn();
    expect(status).toBe(200);
    const client = server.client.as(body.data.tokens.accessToken);
    expect(await listed(client)).toMatchObject([{ name: 'My key', kind: 'passkey' }]);
    const session = await server.db
      .collection('sessions')
      .findOne({ confirmedAt: new Date(clock.now()) });
    expect(session).toMatchObject({ user: new Types.ObjectId(owner._id), factor: 'passkey' });
    clock.advance(5 * MINUTE);
    const second = await client.post(`${FACTORS}/passkeys/options`);
    expect(second.status).toBe(200);
    clock.advance(1);
    const third = await client.post(`${FACTORS}/passkeys/options`);
    expect(third.body.errors).toMatchObject([{ field: 'password' }]);
  });

  it('should be demanded of a sign-in by password, unless there is a recovery code', async () => {
    const { body } = await addPasskey(owner, key);
    const byPassword = (code?: string) =>
      server.client.post('/auth/signin/basic', { email: owner.email, password: PASSWORD, code });
    expect((await byPassword()).body.reason).toBe('second_factor_required');
    expect((await byPassword('492039')).body.reason).toBe('wrong_code');
    expect((await byPassword(body.data.recoveryCodes[0])).status).toBe(200);
  });

  it('should be one of ten at most, with options that tell neither the address nor who exists', async () => {
    const { options } = (await begin()).body.data;
    expect(options).toMatchObject({
      rp: { id: 'press.example' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      user: { id: Buffer.from(owner._id, 'hex').toString('base64url') },
    });
    const keys = Array.from({ length: 10 }, () => new Authenticator());
    for (const [index, each] of keys.entries()) {
      const { body } = await addPasskey(owner, each);
      expect(body.data.recoveryCodes).toHaveLength(index === 0 ? 10 : 0);
    }
    expect((await begin()).body.reason).toBe('too_many_passkeys');
    const [{ _id } = { _id: '' }] = await listed();
    const removed = { body: { password: PASSWORD } };
    expect((await owner.client.delete(`${FACTORS}/id/${_id}`, { body: {} })).status).toBe(422);
    expect((await owner.client.delete(`${FACTORS}/id/${_id}`, removed)).status).toBe(200);
    const again = (await begin()).body.data.options as { excludeCredentials?: { id: string }[] };
    expect(again.excludeCredentials?.map(({ id }) => id).sort()).toEqual(
      keys
        .slice(1)
        .map(({ id }) => id)
        .sort(),
    );
    const statuses = [(await signIn({}, keys[0])).status, (await signIn({}, keys[1])).status];
    expect(statuses).toEqual([401, 200]);
    const asked = await server.client.post<{ options: object }>('/auth/passkeys/options');
    expect(asked.body.data.options).toEqual({
      rpId: 'press.example',
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      timeout: 5 * MINUTE,
      userVerification: 'required',
    });
  });

  it('should be accepted from the page of SITE_ACCOUNT_URL below the host of PUBLIC_URL', async () => {
    const origin = 'https://desk.press.example';
    expect((await addPasskey(owner, key, { origin })).status).toBe(200);
    expect((await signIn({ origin })).status).toBe(200);
  });

  it('should sign in each time if it counts nothing', async () => {
    await addPasskey(owner, key, { counter: 0 });
    for (let use = 0; use < 2; use++) expect((await signIn({ counter: 0 })).status).toBe(200);
  });
});

const OTHER = new Authenticator();
const DEVIATIONS: readonly (readonly [string, Deviations])[] = [
  ['another challenge', { challenge: 'q'.repeat(43) }],
  ['a challenge that is no text', { challenge: 1 }],
  ['another origin', { origin: 'https://evil.example' }],
  ['another port', { origin: `${ORIGIN}:8443` }],
  ['another site', { rpId: 'evil.example' }],
  ['no user verification', { isVerified: false }],
  ['nobody present', { isPresent: false }],
  ['another type', { type: 'payment.get' }],
];

describe('a new passkey', () => {
  it.each(DEVIATIONS)('should be refused with %s', async (_, deviations) => {
    const { status, body } = await addPasskey(owner, key, deviations);
    expect([status, body.reason]).toEqual([400, 'passkey_invalid']);
    expect(await stored()).toBeNull();
  });

  it('should need a challenge of the same account, the newest one, once and for five minutes', async () => {
    const add = (response: string) =>
      owner.client.post(`${FACTORS}/passkeys`, { name: 'My key', response });
    const other = await person(server);
    const { options: foreign } = (await begin(other.client)).body.data;
    const { options: older } = (await begin()).body.data;
    const { options } = (await begin()).body.data;
    for (const each of [foreign, older]) {
      expect((await add(key.create(each))).body.reason).toBe('passkey_invalid');
    }
    const { body } = await server.client.post<{ options: typeof options }>(
      '/auth/passkeys/options',
    );
    expect((await add(key.create(body.data.options))).body.reason).toBe('passkey_invalid');
    expect((await add(key.create(options))).status).toBe(200);
    expect((await add(new Authenticator().create(options))).body.reason).toBe('passkey_invalid');
    const { options: late } = (await begin()).body.data;
    clock.advance(5 * MINUTE);
    expect((await add(new Authenticator().create(late))).body.reason).toBe('passkey_invalid');
    expect((await addPasskey(other, key)).body.reason).toBe('passkey_invalid');
    expect(await listed()).toHaveLength(1);
  });
});

describe('a sign-in by passkey', () => {
  const REFUSED: readonly (readonly [string, Deviations])[] = [
    ...DEVIATIONS,
    ['an unknown passkey', { id: OTHER.id }],
    ['the key of another passkey', { key: OTHER }],
    ['the handle of another account', { userHandle: 'q3X0bUo' }],
    ['a counter that stays', { counter: 5 }],
    ['a counter that goes back', { counter: 4 }],
  ];
  let answers: Set<string>;

  beforeAll(() => {
    answers = new Set();
  });

  it.each(REFUSED)('should be refused with %s', async (_, deviations) => {
    await addPasskey(owner, key, { counter: 5 });
    const { status, body, text } = await signIn({ counter: 6, ...deviations });
    expect([status, body.reason]).toEqual([401, 'invalid_credentials']);
    answers.add(text);
    expect(answers.size).toBe(1);
    expect((await signIn({ counter: 6 })).status).toBe(200);
  });

  it('should be refused for a disabled account, and be recorded', async () => {
    await addPasskey(owner, key);
    const _id = new Types.ObjectId(owner._id);
    await server.db.collection('users').updateOne({ _id }, { $set: { status: false } });
    expect((await signIn()).text).toBe([...answers][0]);
    const audit = server.db.collection('audit');
    const refused = { kind: 'signin.refused', subject: _id, 'details.count': 1 };
    await until('the record', async () => (await audit.findOne(refused)) !== null);
  });

  it('should be refused for a text that is no response', async () => {
    for (const response of ['{', 'null', '{"id":{"$gt":""}}', `{"id":"${key.id}"}`, '[]']) {
      const { body } = await server.client.post('/auth/signin/passkey', { response });
      expect(body.reason).toBe('invalid_credentials');
    }
  });

  it('should take a challenge once, and for five minutes', async () => {
    await addPasskey(owner, key, { counter: 0 });
    const options = async () =>
      (await server.client.post<{ options: { challenge: string } }>('/auth/passkeys/options')).body
        .data.options;
    const send = (response: string) => server.client.post('/auth/signin/passkey', { response });
    const response = key.get(await options(), { counter: 0 });
    const statuses = await Promise.all([response, response, response].map(send));
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    const { options: enrolment } = (await begin()).body.data;
    expect((await send(key.get(enrolment, { counter: 0 }))).status).toBe(401);
    const late = key.get(await options(), { counter: 0 });
    clock.advance(5 * MINUTE);
    expect((await send(late)).status).toBe(401);
  });
});

/** What ends the account's access while a sign-in runs, and whether the sign-in itself is then refused. */
const MEANWHILE: readonly (readonly [string, () => Promise<unknown>, boolean])[] = [
  [
    'the passkey is removed',
    async () => {
      const body = { password: PASSWORD };
      await owner.client.delete(`${FACTORS}/id/${String((await stored())?._id)}`, { body });
    },
    true,
  ],
  ['the change of the address is undone', () => undo(), true],
  [
    'the password is changed',
    () =>
      owner.client.put('/auth/password', {
        currentPassword: PASSWORD,
        newPassword: 'a new password of theirs',
      }),
    false,
  ],
  [
    'the account is disabled and enabled',
    async () => {
      const admin = await person(server, 'ADMIN');
      for (const enabled of [false, true]) {
        await admin.client.put(`/admin/users/id/${owner._id}/status`, { enabled });
      }
    },
    false,
  ],
];

/** Takes a change of the address back that was done before the passkey was added. */
async function undo(): Promise<void> {
  const data = { email: `${unique('former')}@example.org` };
  const _id = new Types.ObjectId(owner._id);
  clock.advance(-MINUTE);
  const token = await server.app.get(OneTimeTokens).issue('emailUndo', { owner: _id, data });
  clock.advance(MINUTE);
  await server.client.post('/auth/email/undo', { token });
}

describe('a sign-in by passkey that runs', () => {
  it.each(MEANWHILE)('should open no usable session if %s', async (_, act, isRefused) => {
    await addPasskey(owner, key);
    const tokens = server.app.get(OneTimeTokens);
    const consume = tokens.consume.bind(tokens);
    const spy = jest.spyOn(tokens, 'consume').mockImplementationOnce(async (...given) => {
      spy.mockRestore();
      await act();
      return consume(...given);
    });
    const { status, body } = await signIn();
    expect(status).toBe(isRefused ? 401 : 200);
    if (isRefused) return;
    const client = server.client.as(body.data.tokens.accessToken);
    expect((await client.get('/profile/mine')).body.reason).toBe('session_ended');
  });
});

describe('limits of passkeys', () => {
  it('should count refused ones by passkey and by client prefix, and options by client prefix', async () => {
    const limited = await startApp({
      env: { RATE_LIMITS: 'on', GUESSES_PER_ACCOUNT: '2/1h', GUESSES_PER_NETWORK: '6/1h' },
    });
    owner = await person(limited);
    await addPasskey(owner, key);
    const attempt = async (deviations: Deviations = {}) =>
      (await signInByPasskey(limited.client, key, deviations)).status;
    const unverified = { isVerified: false } as const;
    expect([await attempt(unverified), await attempt(unverified)]).toEqual([401, 401]);
    expect(await attempt()).toBe(429);
    // The password is not locked.
    const credentials = { email: owner.email, password: PASSWORD };
    const { body } = await limited.client.post('/auth/signin/basic', credentials);
    expect(body.reason).toBe('second_factor_required');
    const options = async () => (await limited.client.post('/auth/passkeys/options')).status;
    expect([await options(), await options(), await options(), await options()]).toEqual([
      200, 200, 200, 429,
    ]);
  });
});

describe('passkeys without a host name', () => {
  it.each([
    ['no PUBLIC_URL', ''],
    ['an IPv4 address', 'http://192.0.2.7:3000'],
    ['an IPv6 address', 'http://[2001:db8::7]:3000'],
  ])('should be not found with %s', async (_, PUBLIC_URL) => {
    const bare = await startApp({ env: { PUBLIC_URL } });
    const someone = await person(bare);
    const answers = [
      await begin(someone.client),
      await bare.client.post('/auth/passkeys/options', undefined, {
        headers: { host: 'a.example' },
      }),
      await bare.client.post('/auth/signin/passkey', { response: key.get({ challenge: 'x' }) }),
      await someone.client.post(`${FACTORS}/passkeys`, {
        name: 'My key',
        response: key.create({ challenge: 'x' }),
      }),
    ];
    for (const { status, body } of answers) {
      expect([status, body.reason]).toEqual([404, 'passkeys_not_configured']);
      expect(body.message).toContain('PUBLIC_URL');
    }
  });
});
