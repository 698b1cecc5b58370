import { beforeAll, describe, expect, it } from '@jest/globals';
import { unique } from '../support/factories.js';
import { startApp, type TestApp } from '../support/start-app.js';
import { expectFieldErrors } from '../support/checks/bad-bodies.js';
import { refusal } from '../support/checks/refusal.js';

const PATH = '/auth/signup/basic';
const OBJECT_ID = /^[0-9a-f]{24}$/;

const signUpBody = (): { email: string; password: string; name: string } => ({
  email: `${unique('new')}@example.org`,
  password: 'a good password',
  name: 'Ada Lovelace',
});

/** A new address whose local part has 64 characters, the maximum of RFC 5321, section 4.5.3.1.1. */
const emailOfLength = (length: number): string => {
  const local = `${unique('e')}-`.padEnd(64, 'x');
  const domain = `${'d'.repeat(63)}.${'d'.repeat(63)}.org`;
  return `${local}@${'d'.repeat(length - local.length - domain.length - 2)}.${domain}`;
};

describe(`POST ${PATH}`, () => {
  let server: TestApp;

  beforeAll(async () => {
    server = await startApp();
  });

  const users = () => server.db.collection('users');
  const signUp = (body: object) => server.client.post(PATH, body);
  const signIn = async (email: string, password: string): Promise<number> =>
    (await server.client.post('/auth/signin/basic', { email, password })).status;

  describe('with a valid body', () => {
    it('should return the user and a token pair', async () => {
      const profilePicUrl = 'https://example.org/ada.png';
      const given = { ...signUpBody(), profilePicUrl };
      const { status, body, headers } = await signUp(given);
      expect(status).toBe(200);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(body).toEqual({
        code: '10000',
        status: 200,
        message: 'success',
        data: {
          user: {
            _id: expect.stringMatching(OBJECT_ID),
            email: given.email,
            name: given.name,
            roles: [{ _id: expect.stringMatching(OBJECT_ID), code: 'LEARNER' }],
            profilePicUrl,
          },
          tokens: {
            accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
            refreshToken: expect.stringMatching(/^v1\./),
          },
        },
      });
      const mine = await server.client.as(body.data.tokens.accessToken).get('/profile/mine');
      expect(mine.body.data).toEqual(body.data.user);
    });

    it('should store the account with a hashed password, and no picture for null', async () => {
      const given = signUpBody();
      const learner = await server.db.collection('roles').findOne({ code: 'LEARNER' });
      await signUp({ ...given, profilePicUrl: null });
      expect(await users().findOne({ email: given.email })).toEqual({
        _id: expect.anything(),
        email: given.email,
        name: given.name,
        password: expect.stringMatching(/^\$2[ab]\$\d\d\$.{53}$/),
        roles: [learner?._id],
        verified: false,
        status: true,
        epoch: 0,
        createdAt: expect.any(Date),
        updatedAt: expect.any(Date),
      });
    });

    it('should trim and lower-case the email address, and trim the name', async () => {
      const { email, password } = signUpBody();
      const { body } = await signUp({
        email: ` \t${email.toUpperCase()}\n`,
        password,
        name: '  Ada  Lovelace \n',
      });
      expect(body.data.user).toMatchObject({ email, name: 'Ada  Lovelace' });
      expect(await users().countDocuments({ email, name: 'Ada  Lovelace' })).toBe(1);
    });

    it.each([
      ['a password of 8 emoji', { password: '🔑'.repeat(8) }],
      ['a password of 72 bytes', { password: 'é'.repeat(36) }],
      ['an address of 254 characters', { email: emailOfLength(254) }],
    ])('should accept %s unchanged', async (_, fields) => {
      const { password, ...shown } = { ...signUpBody(), ...fields };
      const { body } = await signUp({ password, ...shown });
      expect(body.data.user).toMatchObject(shown);
      expect(await signIn(shown.email, password)).toBe(200);
    });

    it('should keep the password exactly as typed', async () => {
      const { email, name } = signUpBody();
      await signUp({ email, name, password: ' Blanks Around ' });
      expect(await signIn(email, 'Blanks Around')).toBe(401);
      expect(await signIn(email, ' blanks around ')).toBe(401);
      expect(await signIn(email, ' Blanks Around ')).toBe(200);
    });
  });

  describe('with a registered email address', () => {
    it('should refuse the address in another case and with blanks around it', async () => {
      const given = signUpBody();
      await signUp(given);
      const email = ` ${given.email.toUpperCase()} `;
      const { status, body } = await signUp({ ...signUpBody(), email });
      expect(body).toEqual(refusal('email_taken', 'user already registered'));
      expect(status).toBe(400);
      expect(await users().countDocuments({ email: given.email })).toBe(1);
    });

    it('should accept exactly one of six concurrent sign-ups', async () => {
      const { email } = signUpBody();
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          signUp({
            ...signUpBody(),
            email: index % 2 === 0 ? email : email.toUpperCase(),
            name: `Racer ${index}`,
          }),
        ),
      );
      const winners = answers.filter(({ status }) => status === 200);
      expect(winners).toHaveLength(1);
      for (const { body } of answers.filter(({ status }) => status !== 200)) {
        expect(body).toEqual(refusal('email_taken', 'user already registered'));
      }
      const stored = await users().find({ email }).toArray();
      expect(stored.map(({ name }) => name as string)).toEqual([winners[0]?.body.data.user.name]);
      const sessions = server.db.collection('sessions');
      expect(await sessions.countDocuments({ user: stored[0]?._id })).toBe(1);
    });
  });

  /** change-password.e2e-spec.ts tests that a new password has the same rules. */
  describe('with an invalid body', () => {
    const BAD_EMAIL = 'email must be a valid email address';
    const TOO_LONG = 'password must have at most 72 bytes of UTF-8';
    const TOO_COMMON = 'password is one of the most common passwords: choose another one';

    it.each([
      ...[
        undefined,
        ['ada@example.org'],
        'ada',
        '@example.org',
        'ada@localhost',
        'ada@example.org,eve@example.org',
        'ada lovelace@example.org',
        'ada@example.org\nbcc:eve@example.org',
        'Ada <ada@example.org>',
        'ada\0@example.org',
        '"ada\u001b[31m"@example.org',
        '"ada\nroot"@example.org',
        'ada\u200b@example.org',
        'ada\u202e@example.org',
        'ada@exam\u00adple.org',
        'ada\ud800@example.org',
        emailOfLength(255),
      ].map((value) => ['email', BAD_EMAIL, value] as const),
      ['password', 'password is missing', undefined],
      ['password', 'password must be text', 12_345_678],
      ['password', 'password must have at least 8 characters', '🔑'.repeat(7)],
      ['password', TOO_LONG, 'é'.repeat(37)],
      ['password', 'password must be valid Unicode without NUL', 'a good password\udfff'],
      ['password', TOO_COMMON, 'QWERTYUIOP'],
      ['name', 'name must be 1 to 200 characters', ' '],
      ['name', 'name must be 1 to 200 characters', 'x'.repeat(201)],
      [
        'profilePicUrl',
        'profilePicUrl must be an http or https URL of at most 500 characters',
        'a',
      ],
      [
        'profilePicUrl',
        'profilePicUrl must not contain characters that turn the order of others (U+202E)',
        'https://example.org/\u202egnp.exe',
      ],
    ])('should refuse an invalid %s: %s', async (field, message, value) => {
      const count = await users().countDocuments();
      const answer = await signUp({ ...signUpBody(), [field]: value });
      expectFieldErrors(answer, { field, message });
      expect(await users().countDocuments()).toBe(count);
    });

    it('should refuse the address or the name as the password, but not the name of another user', async () => {
      const { email, name } = signUpBody();
      for (const password of [email, name]) {
        const { status, body } = await signUp({ email, name, password });
        expect(status).toBe(422);
        expect(body.message).toBe('validation error: password must not be your address or name');
      }
      expect((await signUp({ email, name: 'Joan Clarke', password: name })).status).toBe(200);
    });

    it('should name every missing field', async () => {
      expectFieldErrors(
        await server.client.post(PATH),
        { field: 'email', message: BAD_EMAIL },
        { field: 'password', message: 'password is missing' },
        { field: 'name', message: 'name is missing' },
      );
    });
  });
});
