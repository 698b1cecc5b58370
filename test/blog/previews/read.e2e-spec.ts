import { refusal } from '../../support/checks/refusal.js';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { openBlogFixture, type BlogFixture } from '../core/fixture.js';
import { blogBody, blogIn, type BlogInState } from '../../support/factories.js';
import { CommandRecorder } from '../../support/checks/command-recorder.js';
import { shapeOf } from '../../support/checks/command-shape.js';
import { newPreview, previewOf, unknownToken } from '../../support/previews.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

describe('GET /blog/preview/{token}', () => {
  let fixture: BlogFixture;
  let blog: BlogInState;
  let token: string;

  beforeAll(async () => {
    fixture = await openBlogFixture();
  });

  beforeEach(async () => {
    blog = await blogIn('live with draft', fixture.author, fixture.editor);
    token = await newPreview(fixture.author, 'author', blog._id);
  });

  const read = (path = token, headers = {}) =>
    fixture.client.get(`/blog/preview/${path}`, { headers });

  it('should show each edit at once, although it was read before', async () => {
    for (let round = 0; round < 2; round++) {
      const changes = blogBody();
      await fixture.author.client.put(`/blog/author/id/${blog._id}`, changes);
      for (let time = 0; time < 2; time++) {
        expect((await read()).body.data).toEqual(previewOf(changes));
      }
    }
    await fixture.author.client.put(`/blog/author/discard/${blog._id}`);
    expect((await read()).body.data.title).toBe(blog.body.title);
  });

  it('should read it anew each time, and the same with one query for any token', async () => {
    const recorder = new CommandRecorder(fixture);
    const ended = await newPreview(fixture.author, 'author', blog._id);
    await fixture.author.client.delete(`/blog/author/preview/id/${blog._id}`);
    const submitted = await blogIn('in review', fixture.author, fixture.editor);
    const ofEditor = await newPreview(fixture.editor, 'editor', submitted._id);
    await fixture.author.client.put(`/blog/author/withdraw/${submitted._id}`);
    const good = await newPreview(fixture.author, 'author', blog._id);
    const tokens = { good, again: good, ended, ofEditor, unknown: unknownToken(), malformed: 'x' };
    const work = new Map<string, unknown>();
    const statuses: number[] = [];
    for (const [label, path] of Object.entries(tokens)) {
      recorder.clear();
      statuses.push((await recorder.during('preview', () => read(path))).status);
      const own = recorder.commands.filter(({ endpoint }) => endpoint === 'preview');
      const ofData = own.filter(
        ({ collection }) => !['api_keys', 'beats'].includes(collection ?? ''),
      );
      work.set(label, ofData.map(shapeOf));
    }
    recorder.stop();
    expect(statuses).toEqual([200, 200, 404, 404, 404, 404]);
    const [first] = work.values();
    expect(first).toEqual([expect.stringMatching(/^aggregate blog_previews /)]);
    for (const [label, shapes] of work) expect([label, shapes]).toEqual([label, first]);
  });

  it('should leave out an image that the blog has not', async () => {
    await fixture.author.client.put(`/blog/author/id/${blog._id}`, { imgUrl: null });
    const { imgUrl: _, ...shown } = previewOf(blog.pending);
    expect((await read()).body.data).toEqual(shown);
  });

  it('should clean a text that was stored under an older policy', async () => {
    const draftText = '<p onclick="alert(1)">old</p><script>alert(2)</script>';
    await fixture.db
      .collection('blogs')
      .updateOne({ _id: new Types.ObjectId(blog._id) }, { $set: { draftText, htmlVersion: 0 } });
    expect((await read()).body.data.text).toBe('<p>old</p>');
  });

  it('should answer HEAD like GET, without a body', async () => {
    const answers = [await fixture.client.request('HEAD', `/blog/preview/${token}`), await read()];
    const names = ['content-type', 'content-length', 'cache-control', 'x-robots-tag'];
    const [head, got] = answers.map(({ status, headers }) => [
      status,
      ...names.map((name) => headers.get(name)),
    ]);
    expect(head).toEqual(got);
    expect(answers[0]?.text).toBe('');
  });

  it('should answer 200 with the body, whatever copy a client has', async () => {
    for (const known of ['*', '"1"']) {
      const { status, body, headers } = await read(token, { 'if-none-match': known });
      expect([status, body.data.title, headers.get('etag')]).toEqual([
        200,
        blog.pending.title,
        null,
      ]);
    }
  });

  it('should know no token with another character, at any place', async () => {
    const altered = [...token].map((character, place) => {
      const at = ALPHABET.indexOf(character);
      // The next letter differs in the lowest bits, which the last character of base64url may ignore.
      const other = ALPHABET[at ^ 1] ?? '';
      return token.slice(0, place) + other + token.slice(place + 1);
    });
    expect(altered).toHaveLength(43);
    expect((await read()).status).toBe(200);
    const answers = await Promise.all([unknownToken(), ...altered].map((path) => read(path)));
    const texts = new Set(answers.map(({ status, text }) => `${status} ${text}`));
    const body = JSON.stringify(refusal('preview_not_found', 'preview not found'));
    expect([...texts]).toEqual([`404 ${body}`]);
  });

  it.each([
    ['one character less', (text: string) => text.slice(1)],
    ['one character more', (text: string) => `${text}A`],
    ['padding', (text: string) => `${text}=`],
    ['NUL', (text: string) => `${text}%00`],
    ['the id of the blog', () => blog._id],
    ['an operator', () => '%7B%22$gt%22:%22%22%7D'],
    ['small letters', (text: string) => text.toLowerCase()],
  ])('should not know %s', async (_label, change) => {
    const { status, body } = await read(change(token));
    expect([status, body.message]).toEqual([404, 'preview not found']);
  });

  it('should not know the hash that is stored', async () => {
    const stored = await fixture.db.collection<{ _id: string }>('blog_previews').find().toArray();
    expect(stored.length).toBeGreaterThan(0);
    for (const { _id } of stored) expect((await read(_id)).status).toBe(404);
  });
});
