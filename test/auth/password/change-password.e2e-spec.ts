import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PasswordHasher } from '../../../src/auth/password/password-hasher.js';
import { PASSWORD, person, signIn, type Person } from '../../support/factories.js';
import { openSession, type OpenSession } from '../../support/sessions.js';
import { startApp, type TestApp } from '../../support/start-app.js';

const NEW_PASSWORD = 'four candles, fork handles';
const WRONG = { code: '10001', status: 401, message: 'invalid password', reason: 'wrong_password' };

describe('PUT /auth/password', () => {
  let server: TestApp;
  let ada: Person;
  let phone: OpenSession;

  beforeAll(async () => {
    server = await startApp();
  });

  beforeEach(async () => {
    ada = await person(server);
    phone = await openSession(server, ada);
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  const change = (
    { client }: Pick<Person, 'client'>,
    newPassword: unknown = NEW_PASSWORD,
    currentPassword: unknown = PASSWORD,
  ) => client.put('/auth/password', { currentPassword, newPassword });
  const trySignIn = async (password: string): Promise<number> =>
    (await server.client.post('/auth/signin/basic', { email: ada.email, password })).status;
  const statusOf = async ({ client }: Pick<Person, 'client'>): Promise<number> =>
    (await client.get('/profile/mine')).status;
  const stored = () => server.db.collection('users').findOne({ email: ada.email });

  it('should accept only the new password afterwards', async () => {
    const { status, body } = await change(ada);
    expect([status, body.message]).toEqual([200, 'password changed successfully']);
    expect(body).not.toHaveProperty('data');
    expect([await trySignIn(NEW_PASSWORD), await trySignIn(PASSWORD)]).toEqual([200, 401]);
  });

  it('should refuse a wrong current password and change nothing', async () => {
    const before = await stored();
    expect((await change(ada, NEW_PASSWORD, PASSWORD.toUpperCase())).body).toEqual(WRONG);
    expect(await stored()).toEqual(before);
    expect([await statusOf(ada), await statusOf(phone)]).toEqual([200, 200]);
  });

  it('should apply the rules of a sign-up to the new password', async () => {
    const addressOrName = 'newPassword must not be your address or name';
    for (const [given, message] of [
      ['shorter', 'newPassword must have at least 8 characters'],
      ['Password1', 'newPassword is one of the most common passwords: choose another one'],
      [ada.email.toUpperCase(), addressOrName],
      [ada.name, addressOrName],
    ] as const) {
      const { status, body } = await change(ada, given);
      expect([status, body.message]).toEqual([422, `validation error: ${message}`]);
    }
    expect((await change(ada, NEW_PASSWORD, { $gt: '' })).status).toBe(422);
    expect(await trySignIn(PASSWORD)).toBe(200);
  });

  it('should invalidate the session of a concurrent sign-in with the old password', async () => {
    const hasher = server.app.get(PasswordHasher);
    const matches = hasher.matches.bind(hasher);
    let isChanged = false;
    jest.spyOn(hasher, 'matches').mockImplementationOnce(async (password, hash) => {
      const isMatch = await matches(password, hash);
      isChanged = (await change(ada)).status === 200;
      return isMatch;
    });
    const late = await signIn(server.client, ada.email);
    expect(isChanged).toBe(true);
    expect((await late.client.get('/profile/mine')).body.code).toBe('10003');
    const { status } = await server.client
      .as(late.accessToken)
      .post('/auth/refresh', { refresh_token: late.refreshToken });
    expect(status).toBe(401);
    expect(await statusOf(ada)).toBe(200);
  });

  it('should keep the new password when a concurrent sign-in rehashes the old one', async () => {
    const weak = '$2a$04$gGqBEd4yOzDyPEzBPqWx0O0v/jTRyBzXv9R2YlJq7fkFjGrr4yQxu';
    const hasher = server.app.get(PasswordHasher);
    const hash = hasher.hash.bind(hasher);
    await server.db
      .collection('users')
      .updateOne({ email: ada.email }, { $set: { password: weak } });
    jest.spyOn(hasher, 'matches').mockResolvedValue(true);
    jest.spyOn(hasher, 'hash').mockImplementationOnce(async (password) => {
      const renewed = await hash(password);
      expect((await change(ada)).status).toBe(200);
      return renewed;
    });
    expect(await trySignIn(PASSWORD)).toBe(200);
    jest.restoreAllMocks();
    expect([await trySignIn(NEW_PASSWORD), await trySignIn(PASSWORD)]).toEqual([200, 401]);
  });

  it('should let one of two concurrent changes win, and end the session of the other', async () => {
    const outcomes = await Promise.all([
      change(ada, 'the first of two'),
      change(phone, NEW_PASSWORD),
    ]);
    const statuses = outcomes.map(({ status }) => status);
    expect([...statuses].sort()).toEqual([200, 401]);
    const [winner, loser] = statuses[0] === 200 ? [ada, phone] : [phone, ada];
    expect([await statusOf(winner), await statusOf(loser)]).toEqual([200, 401]);
    expect(await trySignIn(statuses[0] === 200 ? 'the first of two' : NEW_PASSWORD)).toBe(200);
  });

  it('should not refuse concurrent requests of the session that changes the password', async () => {
    const hasher = server.app.get(PasswordHasher);
    jest.spyOn(hasher, 'matches').mockResolvedValue(true);
    jest.spyOn(hasher, 'hash').mockResolvedValue('not looked at here');
    const statuses = new Set<number>();
    let isOver = false;
    const poll = async (): Promise<void> => {
      while (!isOver) statuses.add(await statusOf(ada));
    };
    const changePasswords = async (): Promise<void> => {
      for (let number = 0; number < 8; number++) {
        expect((await change(ada, `a new password ${number}`)).status).toBe(200);
      }
      isOver = true;
    };
    await Promise.all([changePasswords(), ...Array.from({ length: 3 }, poll)]);
    expect([...statuses]).toEqual([200]);
  });

  it('should change nothing when the database fails half-way', async () => {
    const before = await stored();
    await server.db.command({
      collMod: 'sessions',
      validator: { epoch: { $lt: 1 } },
      validationAction: 'error',
    });
    try {
      expect((await change(ada)).status).toBe(500);
    } finally {
      await server.db.command({ collMod: 'sessions', validator: {} });
    }
    expect(await stored()).toEqual(before);
    expect([await statusOf(ada), await statusOf(phone)]).toEqual([200, 200]);
    expect(await trySignIn(PASSWORD)).toBe(200);
  });
});
