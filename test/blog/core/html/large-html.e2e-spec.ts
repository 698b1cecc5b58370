import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Types } from 'mongoose';
import { cleanHtml } from '../../../../src/blog/core/html/clean-html.js';
import { HtmlCleaner } from '../../../../src/blog/core/html/html-cleaner.js';
import { blogBody, blogIn } from '../../../support/factories.js';
import { until } from '../../../support/time/wait.js';
import { openBlogFixture, storedBlog, type BlogFixture } from '../fixture.js';

const UNCLEAN =
  '<h2 onclick="steal()">Head</h2><script>steal()</script><p style="color:red">é 日本 text ' +
  '<a href="javascript:steal()">link</a> <code class="x language-ts">a &lt; b</code></p>';

/** Long enough to be laborious, and done within the time that a request has, on a busy machine too. */
const SLOW_TEXT_LENGTH = 100_000;
/** Several of them are more than may wait. */
const LARGE_TEXT_LENGTH = 300_000;

/** The same markup over and over, in an article whose words say which one it is. */
function article(length: number, name: string): string {
  const part = `<h3>${name}</h3>${UNCLEAN}`;
  return part.repeat(Math.floor(length / part.length));
}

describe('a large text', () => {
  let fixture: BlogFixture;

  beforeAll(async () => {
    fixture = await openBlogFixture();
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('should be the same as cleaned in place, when it is written and when it is served', async () => {
    const { author, editor, client, db } = fixture;
    const [first, second] = [article(60_000, 'first'), article(60_000, 'second')];
    const clean = { text: cleanHtml(first), draftText: cleanHtml(second) };
    expect(clean.text.length).toBeGreaterThan(20_000);
    const { _id } = await blogIn('live', author, editor, { draftText: first });
    const path = `/blog/author/id/${_id}`;
    const edited = await author.client.put(path, { draftText: second });
    expect(edited.body.data).toMatchObject(clean);
    expect(await storedBlog(db, _id)).toMatchObject(clean);
    // An older policy had stored it so.
    const stored = { text: first, draftText: second, htmlVersion: 0 };
    await db.collection('blogs').updateOne({ _id: new Types.ObjectId(_id) }, { $set: stored });
    fixture.invalidateCaches();
    expect((await author.client.get(path)).body.data).toMatchObject(clean);
    expect((await client.get(`/blog/id/${_id}`)).body.data.text).toBe(clean.text);
  });

  it('should not delay other requests, however long its cleaning takes', async () => {
    const { author, client } = fixture;
    let isAnswered = false;
    const draftText = '<'.repeat(SLOW_TEXT_LENGTH);
    const slowRequest = author.client
      .post('/blog/author', blogBody({ draftText }))
      .finally(() => (isAnswered = true));
    let meanwhile = 0;
    while (!isAnswered) {
      const { status } = await client.get('/health/live');
      expect(status).toBe(200);
      if (!isAnswered) meanwhile += 1;
    }
    expect((await slowRequest).status).toBe(422);
    // Cleaned on the event loop, it would let in those that came before it began, and no more.
    expect(meanwhile).toBeGreaterThan(10);
  });

  it('should be refused when too much is being cleaned, and taken later', async () => {
    const { author, app, db } = fixture;
    const draftText = article(LARGE_TEXT_LENGTH, 'one of many');
    const cleaning = jest.spyOn(app.get(HtmlCleaner), 'clean');
    const bodies = Array.from({ length: 12 }, () => blogBody({ draftText }));
    const answers = await Promise.all(
      bodies.map((body) => author.client.post('/blog/author', body)),
    );
    expect(cleaning).toHaveBeenCalledTimes(12);
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers, body } of refused) {
      expect(headers.get('retry-after')).toBe('1');
      expect(body).toEqual({
        code: '10002',
        status: 503,
        message: 'too many long texts are being cleaned: try again in a moment',
        reason: 'overloaded',
      });
    }
    // Cleaned, they are longer than an article may be.
    const others = answers.filter((answer) => !refused.includes(answer));
    // Six of this length may wait.
    expect(others.length).toBeGreaterThanOrEqual(6);
    expect(new Set(others.map(({ status }) => status))).toEqual(new Set([422]));
    const slugs = bodies.map(({ slug }) => slug);
    expect(await db.collection('blogs').countDocuments({ slug: { $in: slugs } })).toBe(0);
    const body = blogBody({ draftText: article(30_000, 'later') });
    expect((await author.client.post('/blog/author', body)).status).toBe(200);
  });

  it('should be answered with 503 when its thread dies, and be cleaned when sent again', async () => {
    const { author, app } = fixture;
    const cleaner = app.get(HtmlCleaner);
    // Its thread runs.
    await cleaner.clean(article(3_000, 'first'));
    const cleaning = jest.spyOn(cleaner, 'clean');
    const body = blogBody({ draftText: `${article(30_000, 'unlucky')}${'<'.repeat(300_000)}` });
    const interrupted = author.client.post('/blog/author', body);
    await until('the text to be cleaned', () => cleaning.mock.calls.length === 1);
    await Promise.all(cleaner['pool'].threads.map((thread) => thread.terminate()));
    const { status, headers, body: answer } = await interrupted;
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    expect(answer.message).toBe('the text could not be cleaned: try again in a moment');
    const again = { ...body, draftText: article(30_000, 'lucky') };
    expect((await author.client.post('/blog/author', again)).status).toBe(200);
  });
});
