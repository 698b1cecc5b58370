import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Types } from 'mongoose';
import { letterCaseVariantsOf, spellingsOf } from '../../access/spellings.js';
import { hashPreviewToken } from '../../../src/blog/previews/preview-token.js';
import { PreviewStore } from '../../../src/blog/previews/preview-store.js';
import { openBlogFixture, storedBlog, type BlogFixture } from '../core/fixture.js';
import { blogBody, blogIn, type BlogInState } from '../../support/factories.js';
import { CommandRecorder } from '../../support/checks/command-recorder.js';
import { shapeOf } from '../../support/checks/command-shape.js';
import { send } from '../../platform/http/raw-http.js';
import { refusal } from '../../support/checks/refusal.js';
import { askForPreview, newPreview, previewOf, unknownToken } from '../../support/previews.js';
import { DAY, holdClock, HOUR, type HeldClock } from '../../support/time/clock.js';
import { API_KEY } from '../../support/start-app.js';
import { until } from '../../support/time/wait.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const MAX_OPEN = 100;

const METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS'];

let fixture: BlogFixture;

beforeAll(async () => {
  fixture = await openBlogFixture({
    env: { LOG_LEVEL: 'trace', LOG_REQUESTS: 'all', SLOW_MS: '1' },
  });
});

describe('POST /blog/{author|editor}/preview/id/{id}', () => {
  let clock: HeldClock;
  let blog: string;

  beforeAll(async () => {
    blog = await newBlog();
  });

  beforeEach(() => {
    clock = holdClock(fixture.app);
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  const newBlog = async (): Promise<string> =>
    (await blogIn('in review', fixture.author, fixture.editor))._id;
  const statusOf = async (token: string): Promise<number> =>
    (await fixture.client.get(`/blog/preview/${token}`)).status;
  const endAll = (id: string) => fixture.author.client.delete(`/blog/author/preview/id/${id}`);
  const previews = () => fixture.db.collection<{ _id: string }>('blog_previews');

  it.each([
    [undefined, 7 * DAY],
    [{ expiresIn: '1h' }, HOUR],
    [{ expiresIn: '3600001ms' }, HOUR + 1],
    [{ expiresIn: '30d' }, 30 * DAY],
  ])('should make a preview that works until it expires (body: %j)', async (body, lifetime) => {
    const answer = await askForPreview(fixture.author, 'author', await newBlog(), body);
    const { token, expiresAt } = answer.body.data;
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(new Date(expiresAt).getTime()).toBe(clock.now() + lifetime);
    clock.advance(lifetime - 1);
    expect(await statusOf(token)).toBe(200);
    clock.advance(1);
    expect(await statusOf(token)).toBe(404);
  });

  it.each(['', '3599999ms', '31d', '-1h', null, 3_600_000])(
    'should refuse expiresIn %j and store nothing',
    async (expiresIn) => {
      const before = await previews().countDocuments();
      const { status, body } = await askForPreview(fixture.author, 'author', blog, { expiresIn });
      const message = 'expiresIn must be a duration from 1h to 30d, such as 12h or 14d';
      expect([status, body.errors]).toEqual([422, [{ field: 'expiresIn', message }]]);
      expect(await previews().countDocuments()).toBe(before);
    },
  );

  it('should store the hash of the token, and not change the blog', async () => {
    const id = await newBlog();
    const before = await storedBlog(fixture.db, id);
    const token = await newPreview(fixture.author, 'author', id);
    expect(await storedBlog(fixture.db, id)).toEqual(before);
    expect(await previews().findOne({ _id: hashPreviewToken(token) })).toEqual({
      _id: hashPreviewToken(token),
      kind: 'author',
      blog: before._id,
      issuer: before['author'],
      generation: 0,
      createdAt: new Date(clock.now()),
      expiresAt: new Date(clock.now() + 7 * DAY),
    });
  });

  it(`should refuse more than ${MAX_OPEN} open previews of a blog`, async () => {
    const id = await newBlog();
    const first = await newPreview(fixture.author, 'author', id);
    for (let count = 1; count < MAX_OPEN; count++) await newPreview(fixture.editor, 'editor', id);
    for (const [person, kind] of [
      [fixture.author, 'author'],
      [fixture.editor, 'editor'],
    ] as const) {
      const { status, body } = await askForPreview(person, kind, id);
      expect([status, body.message]).toEqual([
        400,
        'blog has 100 open previews: end them, or wait until one expires',
      ]);
    }
    expect(await newPreview(fixture.author, 'author', await newBlog())).not.toBe('');
    await previews().updateOne(
      { _id: hashPreviewToken(first) },
      { $set: { expiresAt: new Date(clock.now()) } },
    );
    expect(await statusOf(first)).toBe(404);
    const last = await newPreview(fixture.author, 'author', id);
    expect((await askForPreview(fixture.author, 'author', id)).status).toBe(400);
    await endAll(id);
    expect(await statusOf(last)).toBe(404);
    expect(await statusOf(await newPreview(fixture.author, 'author', id))).toBe(200);
  });

  it('should make no working preview if all are ended just before it is inserted', async () => {
    const id = await newBlog();
    const store = fixture.app.get(PreviewStore);
    const insert = store.insert.bind(store);
    jest.spyOn(store, 'insert').mockImplementationOnce(async (preview) => {
      expect((await endAll(id)).status).toBe(200);
      await insert(preview);
    });
    const token = await newPreview(fixture.author, 'author', id);
    expect(await statusOf(token)).toBe(404);
  });
});

describe('GET /blog/preview/{token}', () => {
  let blog: BlogInState;
  let token: string;

  beforeEach(async () => {
    blog = await blogIn('live with draft', fixture.author, fixture.editor);
    token = await newPreview(fixture.author, 'author', blog._id);
  });

  const read = (path = token, headers = {}) =>
    fixture.client.get(`/blog/preview/${path}`, { headers });

  it('should show each edit immediately, although the preview was read before', async () => {
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

  it('should read the blog each time, with one query that is the same for every token', async () => {
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
      const sent = recorder.commands.filter(({ endpoint }) => endpoint === 'preview');
      const dataCommands = sent.filter(
        ({ collection }) => !['api_keys', 'beats'].includes(collection ?? ''),
      );
      work.set(label, dataCommands.map(shapeOf));
    }
    recorder.stop();
    expect(statuses).toEqual([200, 200, 404, 404, 404, 404]);
    const [first] = work.values();
    expect(first).toEqual([expect.stringMatching(/^aggregate blog_previews /)]);
    for (const [label, shapes] of work) expect([label, shapes]).toEqual([label, first]);
  });

  it('should have no image if the blog has none', async () => {
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

  it('should find nothing by any other token, even if only one character differs', async () => {
    const altered = [...token].map((character, index) => {
      const position = ALPHABET.indexOf(character);
      // `other` differs in the lowest bit, which a lenient decoder ignores in the last character of a token.
      const other = ALPHABET[position ^ 1] ?? '';
      return token.slice(0, index) + other + token.slice(index + 1);
    });
    const others = [token.slice(1), `${token}A`, `${token}=`, `${token}%00`, token.toLowerCase()];
    const values = [unknownToken(), blog._id, '%7B%22$gt%22:%22%22%7D', ...others, ...altered];
    expect((await read()).status).toBe(200);
    const answers = await Promise.all(values.map((path) => read(path)));
    const texts = new Set(answers.map(({ status, text }) => `${status} ${text}`));
    const body = JSON.stringify(refusal('preview_not_found', 'preview not found'));
    expect([...texts]).toEqual([`404 ${body}`]);
  });

  it('should find nothing by a stored hash', async () => {
    const stored = await fixture.db.collection<{ _id: string }>('blog_previews').find().toArray();
    expect(stored.length).toBeGreaterThan(0);
    for (const { _id } of stored) expect((await read(_id)).status).toBe(404);
  });
});

describe('The log of previews', () => {
  let id: string;
  let token: string;

  beforeAll(async () => {
    id = (await blogIn('in review', fixture.author, fixture.editor))._id;
    token = await newPreview(fixture.author, 'author', id);
  });

  /** The log, once it has the line of a final request. */
  async function wholeLog(marker: string): Promise<string> {
    await send(fixture.url, '/health/live', { headers: { 'x-request-id': marker } });
    await until('the last line', () => fixture.log.some((line) => line.includes(marker)));
    return fixture.log.join('');
  }

  it('should hold no token, however its path is spelled', async () => {
    const encoded = [...token].map((each) => `%${each.charCodeAt(0).toString(16)}`).join('');
    const path = `/blog/preview/${token}`;
    const targets = [
      path,
      `/blog/preview/${encoded}`,
      `${path}?page=1&token=${token}`,
      `${path}%`,
      path + 'x'.repeat(3_000),
      `/blog/previews/${token}`,
      ...spellingsOf(path).map(({ target }) => target),
      ...letterCaseVariantsOf(path, token),
    ];
    const statuses = new Set<number>();
    for (const method of METHODS) {
      for (const target of targets) {
        for (const headers of [{ 'x-api-key': API_KEY }, { 'x-api-key': 'unknown' }]) {
          statuses.add((await send(fixture.url, target, { method, headers })).status);
        }
      }
    }
    expect([...statuses].sort()).toEqual([200, 204, 400, 403, 404, 405]);
    const log = await wholeLog('all-spellings');
    expect(log).toContain('"/blog/preview/:token"');
    expect([token, encoded].filter((text) => log.includes(text))).toEqual([]);
  });

  it('should hold no token of a request that fails', async () => {
    const blogs = fixture.db.collection('blogs');
    // Cleaning fails, because the text is a number, which no version stores.
    const filter = { _id: new Types.ObjectId(id) };
    await blogs.updateOne(filter, { $set: { draftText: 1, htmlVersion: null } });
    const { status } = await send(fixture.url, `/blog/preview/${token}`, {
      headers: { 'x-api-key': API_KEY },
    });
    expect(status).toBe(500);
    const log = await wholeLog('a-failure');
    expect(log).toContain('"failed"');
    expect(log).not.toContain(token);
  });
});
