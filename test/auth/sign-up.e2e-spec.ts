import { beforeAll, describe, expect, it } from '@jest/globals';
import { unique } from '../support/factories.js';
import { startApp, type TestApp } from '../support/start-app.js';
import {
  badFields,
  badTexts,
  badUrls,
  expectFieldErrors,
  itRefusesBadBodies,
  NOT_TEXT,
  urlOfLength,
} from '../support/checks/bad-bodies.js';
import { refusal } from '../support/checks/refusal.js';

const PATH = '/auth/signup/basic';
const OBJECT_ID = /^[0-9a-f]{24}$/;

const signUpBody = (): { email: string; password: string; name: string } => ({
  email: `${unique('new')}@example.org`,
  password: 'a good password',
  name: 'Ada Lovelace',
});

/** The local part has at most 64 characters (RFC 5321, section 4.5.3.1.1). */
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

    it('should store the declared fields only', async () => {
      const given = signUpBody();
      const learner = await server.db.collection('roles').findOne({ code: 'LEARNER' });
      await signUp(given);
      expect(await users().findOne({ email: given.email })).toEqual({
        _id: expect.anything(),
        email: given.email,
        name: given.name,
        password: expect.stringMatching(/^\$2[ab]\$10\$.{53}$/),
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

    it('should ignore unknown fields', async () => {
      const given = signUpBody();
      const { body } = await signUp({
        ...given,
        _id: '66f1a2b3c4d5e6f708192a3b',
        roles: ['ADMIN'],
        role: 'ADMIN',
        status: false,
        verified: true,
        epoch: 7,
        createdAt: '2001-01-01T00:00:00Z',
        $set: { status: false },
        'roles.0': 'ADMIN',
        constructor: 'x',
      });
      expect(body.data.user._id).not.toBe('66f1a2b3c4d5e6f708192a3b');
      expect(body.data.user.roles.map(({ code }: { code: string }) => code)).toEqual(['LEARNER']);
      const stored = await users().findOne({ email: given.email });
      expect(stored).toMatchObject({ status: true, verified: false, epoch: 0 });
      expect(Object.keys(stored ?? {}).sort()).toEqual(
        ['_id', 'createdAt', 'email', 'epoch', 'name', 'password', 'roles', 'status']
          .concat('updatedAt', 'verified')
          .sort(),
      );
      expect(stored?.['createdAt'].getFullYear()).toBeGreaterThan(2001);
    });

    it.each([
      ['a password of 8 characters', { password: '8 chars!' }],
      ['a password of 8 emoji', { password: '🔑'.repeat(8) }],
      ['a password of 72 bytes', { password: 'é'.repeat(36) }],
      ['a password of blanks', { password: ' '.repeat(8) }],
      ['an address of 254 characters', { email: emailOfLength(254) }],
      ['a name of one character', { name: 'A' }],
      ['a name of 200 emoji', { name: '😀'.repeat(200) }],
      ['a name that looks like an operator', { name: '$set' }],
      ['a picture of 500 characters', { profilePicUrl: urlOfLength(500) }],
    ])('should accept %s unchanged', async (_, fields) => {
      const { password, ...shown } = { ...signUpBody(), ...fields };
      const { body } = await signUp({ password, ...shown });
      expect(body.data.user).toMatchObject(shown);
      expect(await signIn(shown.email, password)).toBe(200);
    });

    it('should store no picture for null', async () => {
      const given = signUpBody();
      const { body } = await signUp({ ...given, profilePicUrl: null });
      expect(body.data.user).not.toHaveProperty('profilePicUrl');
      expect(await users().findOne({ email: given.email })).not.toHaveProperty('profilePicUrl');
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
    it.each([
      ['the same address', (email: string) => email],
      ['another case', (email: string) => email.toUpperCase()],
      ['blanks around it', (email: string) => ` ${email} `],
    ])('should refuse %s', async (_, variant) => {
      const given = signUpBody();
      await signUp(given);
      const { status, body } = await signUp({ ...signUpBody(), email: variant(given.email) });
      expect(body).toEqual(refusal('email_taken', 'user already registered'));
      expect(status).toBe(400);
      expect(await users().countDocuments({ email: given.email })).toBe(1);
    });

    it('should accept exactly one of twenty concurrent sign-ups', async () => {
      const { email } = signUpBody();
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
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

  describe('with an invalid body', () => {
    const badEmails = badFields('email', 'email must be a valid email address', [
      ...NOT_TEXT,
      ['nothing', undefined],
      ['null', null],
      ['an empty text', ''],
      ['a word', 'ada'],
      ['no domain', 'ada@'],
      ['no name', '@example.org'],
      ['no dot in the domain', 'ada@localhost'],
      ['two addresses', 'ada@example.org,eve@example.org'],
      ['a blank inside', 'ada lovelace@example.org'],
      ['a line break inside', 'ada@example.org\nbcc:eve@example.org'],
      ['a display name', 'Ada <ada@example.org>'],
      ['a NUL', 'ada\0@example.org'],
      ['a lone surrogate', 'ada\ud800@example.org'],
      ['255 characters', emailOfLength(255)],
      ['10,000 characters', `${'a'.repeat(10_000)}@example.org`],
    ]);

    const badPasswords = [
      ...badFields('password', 'password is missing', [
        ['nothing', undefined],
        ['null', null],
      ]),
      ...badFields('password', 'password must be text', NOT_TEXT),
      ...badFields('password', 'password must have at least 8 characters', [
        ['an empty text', ''],
        ['7 characters', '7 chars'],
        ['7 emoji', '🔑'.repeat(7)],
      ]),
      ...badFields('password', 'password must have at most 72 bytes of UTF-8', [
        ['73 bytes', 'x'.repeat(73)],
        ['37 characters of 74 bytes', 'é'.repeat(37)],
      ]),
      ...badFields('password', 'password must be valid Unicode without NUL', [
        ['a NUL', 'a good\0password'],
        ['a lone surrogate', 'a good password\udfff'],
      ]),
    ];

    const bad = [
      ...badEmails,
      ...badPasswords,
      ...badTexts('name', { min: 1, max: 200 }),
      ...badUrls('profilePicUrl'),
    ];

    it.each(bad)('should refuse $label as $field', async ({ field, value, message }) => {
      const email = `${unique('refused')}@example.org`;
      expectFieldErrors(await signUp({ ...signUpBody(), email, [field]: value }), {
        field,
        message,
      });
      expect(await users().countDocuments({ email })).toBe(0);
    });

    itRefusesBadBodies((options) => server.client.request('POST', PATH, options));

    it.each([
      ['no body', undefined],
      ['an empty object', {}],
      ['null', null],
    ])('should name every missing field of %s', async (_, body) => {
      expectFieldErrors(
        await server.client.post(PATH, body),
        { field: 'email', message: 'email must be a valid email address' },
        { field: 'password', message: 'password is missing' },
        { field: 'name', message: 'name is missing' },
      );
    });
  });
});
