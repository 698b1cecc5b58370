import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import bcrypt from 'bcryptjs';
import { Types } from 'mongoose';
import { PasswordHasher } from '../../src/auth/password/password-hasher.js';
import { PASSWORD, person, unique, type Person } from '../support/factories.js';
import { startApp, type TestApp } from '../support/start-app.js';
import { expectFieldErrors } from '../support/checks/bad-bodies.js';
import { decodeJwt } from '../support/jwt.js';
import { refusal } from '../support/checks/refusal.js';

const PATH = '/auth/signin/basic';
const REFUSAL = refusal('invalid_credentials', 'invalid email or password');
const OLD_PASSWORD = 'pw1';

/** A hash as goserve stores it. */
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
  const credentials = () => ({ email: ada.email, password: PASSWORD });
  const signIn = (email: unknown, password: unknown = PASSWORD) =>
    server.client.post(PATH, { email, password });

  /** Stores an account with this password hash, last changed in 1970. */
  const insertAccount = async (hash: string | null) => {
    const email = `${unique('account')}@example.org`;
    const learner = await server.db.collection('roles').findOne({ code: 'LEARNER' });
    const { insertedId } = await users().insertOne({
      email,
      name: 'Old Account',
      password: hash,
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

    // database-dump.e2e-spec.ts checks that no token is stored.
    it('should store the session', async () => {
      const headers = { 'user-agent': 'x'.repeat(300) };
      const { body } = await server.client.post(PATH, credentials(), { headers });
      const sid = decodeJwt(body.data.tokens.accessToken as string).claims['sid'] as string;
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
    });
  });

  describe('with wrong credentials', () => {
    it('should send the same bytes for all of them, each time after one password check', async () => {
      const disabled = await person(server);
      await users().updateOne({ email: disabled.email }, { $set: { status: false } });
      const attempts = [
        ['nobody@example.org', PASSWORD],
        [ada.email, 'wrong horse battery'],
        [ada.email, ''],
        [ada.email, `${PASSWORD} `],
        [ada.email, PASSWORD.toUpperCase()],
        [disabled.email, PASSWORD],
        [disabled.email, 'wrong horse battery'],
        [(await insertAccount(null)).email, 'no account has this password'],
        [(await insertAccount('plain text')).email, 'plain text'],
      ];
      const matches = jest.spyOn(server.app.get(PasswordHasher), 'matches');
      const texts = new Set<string>();
      for (const [index, [email, password]] of attempts.entries()) {
        const { status, text, body, headers } = await signIn(email, password);
        texts.add(text);
        expect(body).toEqual(REFUSAL);
        expect(status).toBe(401);
        expect(headers.get('instruction')).toBeNull();
        expect(matches).toHaveBeenCalledTimes(index + 1);
      }
      expect(texts.size).toBe(1);
      // RATE_LIMITS is off, so nothing is counted.
      expect(await server.db.collection('rate_limits').countDocuments()).toBe(0);
    });
  });

  describe('for an account that goserve stored', () => {
    it('should accept a $2a$ hash of a lower cost and rehash the password', async () => {
      const hash = oldHash(OLD_PASSWORD, 4);
      const { _id, email } = await insertAccount(hash);
      expect((await signIn(email, 'wrong')).status).toBe(401);
      expect(await users().findOne({ _id })).toMatchObject({ password: hash });
      expect((await signIn(email, OLD_PASSWORD)).status).toBe(200);
      const stored = await users().findOne({ _id });
      expect(stored?.['password']).toMatch(/^\$2[ab]\$05\$.{53}$/);
      expect(stored?.['updatedAt']).toEqual(new Date(0));
      expect((await signIn(email, OLD_PASSWORD)).status).toBe(200);
      expect((await signIn(email, 'pw2')).status).toBe(401);
    });
  });

  it.each([
    ['email', 'email must be a valid email address', 'ada'],
    ['password', 'password must be text', { $gt: '' }],
    ['password', 'password must have at most 72 bytes of UTF-8', 'x'.repeat(73)],
  ])('should refuse an invalid %s: %s', async (field, message, value) => {
    const answer = await server.client.post(PATH, { ...credentials(), [field]: value });
    expectFieldErrors(answer, { field, message });
  });
});
