import { beforeAll, describe, expect, it } from '@jest/globals';
import { HTML_VERSION, htmlVersionOf } from '../../../../src/blog/core/html/clean-html.js';
import { MigrationService } from '../../../../src/platform/database/migrations/migration.service.js';
import { blogIn } from '../../../support/factories.js';
import { startApp, type TestApp } from '../../../support/start-app.js';
import { openBlogFixture, storedBlog, type BlogFixture } from '../fixture.js';

const HOST = 'player.example';
const WRITTEN = `<p>a</p><iframe src="https://${HOST}/b"></iframe>`;
const EMBEDDED =
  `<p>a</p><iframe src="https://${HOST}/b" sandbox="allow-scripts allow-same-origin ` +
  'allow-presentation allow-popups" loading="lazy"></iframe>';
const REMOVED = '<p>a</p>';

describe('an embedded player', () => {
  /** Two servers with one database, as before and after a change of EMBED_HOSTS. */
  let embedding: BlogFixture;
  let plain: TestApp;

  beforeAll(async () => {
    embedding = await openBlogFixture({ env: { EMBED_HOSTS: HOST } });
    plain = await startApp({ uri: embedding.uri });
  });

  /** What author, editor and reader get of a live blog: the draft, and thrice the text. */
  async function served({ url }: TestApp, _id: string): Promise<unknown[]> {
    const { author, editor, client } = embedding;
    const own = await author.client.at(url).get(`/blog/author/id/${_id}`);
    const reviewed = await editor.client.at(url).get(`/blog/editor/id/${_id}`);
    const live = await client.at(url).get(`/blog/id/${_id}`);
    return [own.body.data.draftText, ...[own, reviewed, live].map(({ body }) => body.data.text)];
  }

  const migrate = async ({ app }: TestApp) =>
    (await app.get(MigrationService).run({ dryRun: false })).changed;

  it('should be served while its host is listed, and be gone at once when it is not', async () => {
    const { author, editor, db } = embedding;
    const { _id } = await blogIn('live', author, editor, { draftText: WRITTEN });
    expect(await storedBlog(db, _id)).toMatchObject({
      draftText: EMBEDDED,
      text: EMBEDDED,
      htmlVersion: htmlVersionOf([HOST]),
    });
    expect(await served(embedding, _id)).toEqual(Array(4).fill(EMBEDDED));
    expect(await served(plain, _id)).toEqual(Array(4).fill(REMOVED));
  });

  it.each([
    ['listed only for the edit', () => [plain, embedding]],
    ['not listed for the edit only', () => [embedding, plain]],
  ])('should be cleaned again when draft and text differ in policy: %s', async (_, servers) => {
    const { author, editor, db } = embedding;
    const [first, second] = servers() as [TestApp, TestApp];
    const [owner, reviewer] = [author, editor].map((person) => ({
      client: person.client.at(first.url),
    })) as [typeof author, typeof editor];
    const { _id } = await blogIn('live', owner, reviewer, { draftText: WRITTEN });
    const edit = { draftText: `${WRITTEN}!` };
    await author.client.at(second.url).put(`/blog/author/id/${_id}`, edit);
    expect(await storedBlog(db, _id)).toMatchObject({ htmlVersion: 0 });
    expect(await served(plain, _id)).toEqual([`${REMOVED}!`, ...Array<string>(3).fill(REMOVED)]);
    // What was removed when it was stored does not come back.
    const shown = await served(embedding, _id);
    expect(shown.filter((text) => String(text).includes('<iframe'))).toHaveLength(
      first === embedding ? 3 : 1,
    );
  });

  it('should be removed by a migration after its host was', async () => {
    const { author, editor, db } = embedding;
    const { _id } = await blogIn('live', author, editor, { draftText: WRITTEN });
    expect(await migrate(plain)).toContainEqual(expect.stringContaining('HTML cleaned'));
    const cleaned = { draftText: REMOVED, text: REMOVED, htmlVersion: HTML_VERSION };
    expect(await storedBlog(db, _id)).toMatchObject(cleaned);
    expect(await migrate(plain)).toEqual([]);
    await migrate(embedding);
    const { htmlVersion } = await storedBlog(db, _id);
    expect(htmlVersion).toBe(htmlVersionOf([HOST]));
    expect(await served(embedding, _id)).toEqual(Array(4).fill(REMOVED));
  });
});
