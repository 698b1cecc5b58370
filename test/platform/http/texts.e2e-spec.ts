import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { openBlogFixture, type BlogFixture } from '../../blog/core/fixture.js';
import { badCharacters, expectFieldErrors } from '../../support/checks/bad-bodies.js';
import type { Answer, Client } from '../../support/client.js';
import { blogIn, PASSWORD, person, unique, type Person } from '../../support/factories.js';

let fixture: BlogFixture;
let admin: Person;
let blog: string;
/** Path of a comment of the author. */
let comment: string;
let apiKey: string;

beforeAll(async () => {
  fixture = await openBlogFixture();
  admin = await person(fixture, 'ADMIN');
  const { author, editor } = fixture;
  ({ _id: blog } = await blogIn('in review', author, editor));
  const comments = `/blog/author/comments/id/${blog}`;
  const written = await author.client.post<{ _id: string }>(comments, { text: 'a' });
  comment = `${comments}/${written.body.data._id}`;
  const key = await admin.client.post<{ _id: string }>('/admin/apikeys', { comment: 'a' });
  apiKey = `/admin/apikeys/id/${key.body.data._id}`;
});

type Send = (value: string) => Promise<Answer<unknown>>;

const signUp: Send = (name) => {
  const email = `${unique('somebody')}@example.org`;
  return fixture.client.post('/auth/signup/basic', { email, password: PASSWORD, name });
};
const author = (): Client => fixture.author.client;
const setName: Send = (name) => author().put('/profile/mine', { name });

/** Every request that stores a text, except those that write an article. */
const FIELDS: readonly (readonly [route: string, field: string, send: Send])[] = [
  ['POST /auth/signup/basic', 'name', signUp],
  ['PUT /profile/mine', 'name', setName],
  ['POST /contact', 'type', (type) => fixture.client.post('/contact', { type, msg: 'a' })],
  ['POST /contact', 'msg', (msg) => fixture.client.post('/contact', { type: 'feedback', msg })],
  [
    'PUT /blog/author/submit',
    'note',
    (note) => author().put(`/blog/author/submit/${blog}`, { note }),
  ],
  [
    'PUT /blog/editor/return',
    'note',
    (note) => fixture.editor.client.put(`/blog/editor/return/id/${blog}`, { note }),
  ],
  ['POST comments', 'text', (text) => author().post(`/blog/author/comments/id/${blog}`, { text })],
  [
    'POST comments',
    'quote',
    (quote) => author().post(`/blog/author/comments/id/${blog}`, { text: 'a', quote }),
  ],
  ['PUT comments', 'text', (text) => author().put(comment, { text })],
  [
    'POST /admin/apikeys',
    'comment',
    (text) => admin.client.post('/admin/apikeys', { comment: text }),
  ],
  ['PUT /admin/apikeys', 'comment', (text) => admin.client.put(apiKey, { comment: text })],
];

describe.each(FIELDS)('the text of %s: %s', (_route, field, send) => {
  it.each(badCharacters(field))('should be refused if it is $label', async ({ value, message }) => {
    expectFieldErrors(await send(String(value)), { field, message });
  });
});

describe('a text with tabs and line breaks', () => {
  const TEXT = 'a\tb\r\n\n c';

  it.each(FIELDS.filter(([, field]) => ['name', 'type', 'quote', 'comment'].includes(field)))(
    'should become one line: %s %s',
    async (_route, field, send) => {
      const { status, body } = await send(TEXT);
      const data = body.data as Record<string, unknown> & { user?: Record<string, unknown> };
      expect([status, (data.user ?? data)[field]]).toEqual([200, 'a b c']);
    },
  );

  it.each(FIELDS.filter(([, field]) => ['msg', 'text'].includes(field)))(
    'should keep its lines: %s %s',
    async (_route, field, send) => {
      const { body } = await send(TEXT);
      expect((body.data as Record<string, unknown>)[field]).toBe(TEXT);
    },
  );

  it('should keep joiners, marks and emoji', async () => {
    const name = 'می\u200cخواهم 👩\u200d💻 ❤\ufe0f e\u0301';
    expect((await setName(name)).body).toMatchObject({ status: 200, data: { name } });
  });
});

describe('a name like that of deleted accounts', () => {
  it.each(['Former author', 'FORMER  user', 'Fоrmеr аuthоr', 'Ｆｏｒｍｅｒ author'])(
    'should be refused: %s',
    async (name) => {
      const message = 'name must not look like the name of deleted accounts';
      for (const send of [signUp, setName]) {
        expectFieldErrors(await send(name), { field: 'name', message });
      }
    },
  );
});

describe('a text that an earlier version has stored', () => {
  const set = (collection: string, id: string, fields: object) =>
    fixture.db.collection(collection).updateOne({ _id: new Types.ObjectId(id) }, { $set: fields });

  it.each(['Former author', 'Ada\nroot  ADMIN\u001b[1A', '\u3164', 'Ada\0'])(
    'should stay the name %j, and not keep anybody from signing in',
    async (name) => {
      const { _id, email, client } = await person(fixture, 'AUTHOR');
      await set('users', _id, { name });
      const profilePicUrl = 'https://example.org/a.png';
      const changed = await client.put('/profile/mine', { name, profilePicUrl });
      expect(changed.body).toMatchObject({ status: 200, data: { name, profilePicUrl } });
      expect((await client.put('/profile/mine', { profilePicUrl: null })).status).toBe(200);
      const signedIn = await fixture.client.post('/auth/signin/basic', {
        email,
        password: PASSWORD,
      });
      expect(signedIn.body).toMatchObject({ status: 200, data: { user: { name } } });
      expect((await client.put('/profile/mine', { name: `${name}\u0007` })).status).toBe(422);
    },
  );

  it('should stay the address with which an account signs in', async () => {
    const { _id, email } = await person(fixture, 'AUTHOR');
    const address = `"\u001b${email.replace('@', '\u200b"@')}`;
    await set('users', _id, { email: address });
    const body = { email: address, password: PASSWORD };
    expect((await fixture.client.post('/auth/signin/basic', body)).status).toBe(200);
  });

  it('should stay in a comment and at an API key', async () => {
    const text = 'a\u0007\u202e\0';
    await set('blog_comments', comment.slice(-24), { text });
    const resolved = await author().put(comment, { text, resolved: true });
    expect(resolved.body).toMatchObject({ status: 200, data: { text, resolved: true } });
    await set('api_keys', apiKey.slice(-24), { comments: [text] });
    const changed = await admin.client.put(apiKey, { comment: text, enabled: false });
    expect(changed.body).toMatchObject({ status: 200, data: { comment: text, enabled: false } });
  });
});
