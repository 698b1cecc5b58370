import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import bcrypt from 'bcryptjs';
import { Types } from 'mongoose';
import { PasswordHasher } from '../../src/auth/password/password-hasher.js';
import { PASSWORD, person, unique, type Person } from '../support/factories.js';
import { startApp, type TestApp } from '../support/start-app.js';
import { expectFieldErrors } from '../support/checks/bad-bodies.js';
import { DAY } from '../support/time/clock.js';
import { decodeJwt } from '../support/jwt.js';
import { refusal } from '../support/checks/refusal.js';

const PATH = '/auth/signin/basic';
const REFUSAL = refusal('invalid_credentials', 'invalid email or password');
const OLD_PASSWORD = 'pw1';

/** A hash as the older server stored it. */
const oldHash = (password: string, cost: number): string =>
  bcrypt.hashSync(password, cost).replace(/^\$2b\$/, '$2a$');

describe(`POST ${PATH}`, () => {
  let server: TestApp;
  let ada: Person;

  beforeAll(async () => {
    server = await startApp();
    ada = await person(server, 'EDITOR', 'AUTHOR');
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  const users = () => server.db.collection('users');
  const sessions = () => server.db.collection('sessions');
  const right = () => ({ email: ada.email, password: PASSWORD });
  const signIn = (email: unknown, password: unknown = PASSWORD) =>
    server.client.post(PATH, { email, password });

  /** An account with this stored hash, last changed long ago. */
  const account = async (password: string | null) => {
    const email = `${unique('account')}@example.org`;
    const learner = await server.db.collection('roles').findOne({ code: 'LEARNER' });
    const { insertedId } = await users().insertOne({
      email,
      name: 'Old Account',
      password,
      roles: [learner?._id],
      status: true,
      updatedAt: new Date(0),
    });
    return { _id: insertedId, email };
  };

  describe('with the right password', () => {
    it('should return the user and a token pair', async () => {
      const { status, body, headers } = await signIn(ada.email);
      expect(status).toBe(200);
      expect(headers.get('cache-control')).toBe('no-store');
      const role = (code: string) => ({ _id: expect.stringMatching(/^[0-9a-f]{24}$/), code });
      expect(body).toEqual({
        code: '10000',
        status: 200,
        message: 'success',
        data: {
          user: {
            _id: ada._id,
            email: ada.email,
            name: ada.name,
            roles: [role('LEARNER'), role('AUTHOR'), role('EDITOR')],
          },
          tokens: { accessToken: expect.any(String), refreshToken: expect.any(String) },
        },
      });
    });

    it('should accept the email address in any case, with blanks around it', async () => {
      expect((await signIn(`  ${ada.email.toUpperCase()}\n`)).status).toBe(200);
    });

    it('should open a new session each time', async () => {
      const [first, second] = [await signIn(ada.email), await signIn(ada.email)];
      const sidOf = ({ body }: typeof first) =>
        decodeJwt(body.data.tokens.accessToken).claims['sid'];
      expect(sidOf(first)).not.toBe(sidOf(second));
      expect(first.body.data.tokens.refreshToken).not.toBe(second.body.data.tokens.refreshToken);
    });

    it('should store the session, but none of its tokens', async () => {
      const headers = { 'user-agent': 'x'.repeat(300) };
      const { body } = await server.client.post(PATH, right(), { headers });
      const { accessToken, refreshToken } = body.data.tokens as Record<string, string>;
      const sid = decodeJwt(accessToken ?? '').claims['sid'] as string;
      const session = await sessions().findOne({ _id: new Types.ObjectId(sid) });
      expect(session).toEqual({
        _id: new Types.ObjectId(sid),
        user: new Types.ObjectId(ada._id),
        epoch: 0,
        counter: 0,
        createdAt: expect.any(Date),
        usedAt: expect.any(Date),
        expiresAt: expect.any(Date),
        userAgent: 'x'.repeat(200),
        addressPrefix: '127.0.0.0/24',
      });
      expect(session?.['expiresAt'] - session?.['createdAt']).toBe(14 * DAY);
      const everything = JSON.stringify(session);
      expect(everything).not.toContain(refreshToken?.split('.').at(-1));
      expect(everything).not.toContain(accessToken?.split('.').at(-1));
    });
  });

  describe('with wrong credentials', () => {
    it('should respond with the same bytes for every reason', async () => {
      const disabled = await person(server);
      await users().updateOne({ email: disabled.email }, { $set: { status: false } });
      const answers = [
        await signIn('nobody@example.org'),
        await signIn(ada.email, 'wrong horse battery'),
        await signIn(ada.email, ''),
        await signIn(ada.email, `${PASSWORD} `),
        await signIn(ada.email, PASSWORD.toUpperCase()),
        await signIn(disabled.email),
        await signIn(disabled.email, 'wrong horse battery'),
        await signIn((await account(null)).email, 'no account has this password'),
        await signIn((await account('plain text')).email, 'plain text'),
      ];
      for (const { status, text, body, headers } of answers) {
        expect(body).toEqual(REFUSAL);
        expect({ status, text }).toEqual({ status: 401, text: answers[0]?.text });
        expect(headers.get('instruction')).toBeNull();
      }
    });

    it('should check one password for every reason, so that the time is the same', async () => {
      const disabled = await person(server);
      await users().updateOne({ email: disabled.email }, { $set: { status: false } });
      const matches = jest.spyOn(server.app.get(PasswordHasher), 'matches');
      const checked = async (email: string, password: string): Promise<number> => {
        matches.mockClear();
        expect((await signIn(email, password)).status).toBe(401);
        return matches.mock.calls.length;
      };
      expect(await checked('nobody@example.org', PASSWORD)).toBe(1);
      expect(await checked(ada.email, 'wrong horse battery')).toBe(1);
      expect(await checked(disabled.email, PASSWORD)).toBe(1);
    });

    it('should open no session', async () => {
      const { _id, email } = await account(oldHash('right', 4));
      await signIn(email, 'wrong');
      expect(await sessions().countDocuments({ user: _id })).toBe(0);
    });
  });

  describe('of an account of the older server', () => {
    it('should sign in with a $2a$ hash of a lower cost and rehash the password', async () => {
      const { _id, email } = await account(oldHash(OLD_PASSWORD, 4));
      expect((await signIn(email, OLD_PASSWORD)).status).toBe(200);
      const stored = await users().findOne({ _id });
      expect(stored?.['password']).toMatch(/^\$2[ab]\$10\$.{53}$/);
      expect(stored?.['updatedAt']).toEqual(new Date(0));
      expect((await signIn(email, OLD_PASSWORD)).status).toBe(200);
      expect((await signIn(email, 'pw2')).status).toBe(401);
    });

    it('should not rehash a wrong password', async () => {
      const hash = oldHash(OLD_PASSWORD, 4);
      const { _id, email } = await account(hash);
      expect((await signIn(email, 'wrong')).status).toBe(401);
      expect(await users().findOne({ _id })).toMatchObject({ password: hash });
    });

    it('should keep a hash of the same cost', async () => {
      const hash = oldHash(OLD_PASSWORD, 10);
      const { _id, email } = await account(hash);
      expect((await signIn(email, OLD_PASSWORD)).status).toBe(200);
      expect(await users().findOne({ _id })).toMatchObject({ password: hash });
    });
  });

  // change-password.e2e-spec.ts has the same of a password that is changed meanwhile.
  it('should open no valid session of a user who is disabled meanwhile', async () => {
    const { _id, email } = await account(oldHash(OLD_PASSWORD, 10));
    const hasher = server.app.get(PasswordHasher);
    const matches = hasher.matches.bind(hasher);
    jest.spyOn(hasher, 'matches').mockImplementationOnce(async (...given) => {
      await users().updateOne({ _id }, { $set: { status: false }, $inc: { epoch: 1 } });
      return matches(...given);
    });
    const { body } = await signIn(email, OLD_PASSWORD);
    await users().updateOne({ _id }, { $set: { status: true } });
    const accessToken = (body.data?.tokens.accessToken ?? 'none') as string;
    expect((await server.client.as(accessToken).get('/profile/mine')).status).toBe(401);
  });

  it.each([
    ['email', 'email must be a valid email address', 'ada'],
    ['email', 'email must be a valid email address', `${'a'.repeat(243)}@example.org`],
    ['password', 'password must be text', { $gt: '' }],
    ['password', 'password is missing', null],
    ['password', 'password must have at most 72 bytes of UTF-8', 'x'.repeat(73)],
    ['password', 'password must be valid Unicode without NUL', `${PASSWORD}\0`],
    ['password', 'password must be valid Unicode without NUL', '\ud800'],
  ])('should refuse a body in which %s', async (field, message, value) => {
    const answer = await server.client.post(PATH, { ...right(), [field]: value });
    expectFieldErrors(answer, { field, message });
  });
});
