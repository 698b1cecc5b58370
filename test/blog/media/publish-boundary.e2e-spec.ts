import { beforeAll, describe, expect, it } from '@jest/globals';
import { BLOG_READS, DOCUMENT_READS } from '../../routes/reads.js';
import { blogIn, person, STATES, type BlogInState, type Person } from '../../support/factories.js';
import { fetchPicture, uploaded, type MediaAnswer } from '../../support/media/pictures.js';
import { newPreview } from '../../support/previews.js';
import { startApp } from '../../support/start-app.js';
import { holdClock, MINUTE } from '../../support/time/clock.js';
import { until } from '../../support/time/wait.js';
import { FLAGS, openBlogFixture, storedBlog, type BlogFixture } from '../core/fixture.js';

const SIZES = ['320.webp', '320.jpg', '640.webp', '640.jpg'];

/** The addresses in a text, as HTML writes them. */
const addressesIn = (html: string): string[] =>
  [...html.matchAll(/https?:\/\/[^\s"]+\/media\/[^\s",]+/g)].map(([each]) =>
    each.replaceAll('&amp;', '&'),
  );

const showing = ({ _id, name }: MediaAnswer): string =>
  `<p>See <img src="/media/${_id}/${name}" alt="noise"></p>`;

/** The ways in which an article shows a picture, each as the body of an edit. */
const WAYS = [
  ['in its text', (picture: MediaAnswer) => ({ draftText: showing(picture) })],
  ['as its cover', ({ _id }: MediaAnswer) => ({ cover: { media: _id } })],
] as const;

const CASES = STATES.flatMap((state) => WAYS.map(([label, showIt]) => ({ state, label, showIt })));

describe('pictures and the publish boundary', () => {
  let fixture: BlogFixture;
  let other: Person;

  beforeAll(async () => {
    fixture = await openBlogFixture({
      env: { SITE_URL: 'https://blog.example' },
      background: true,
    });
    other = await person(fixture, 'AUTHOR');
  });

  /** The statuses of all addresses of a picture that anybody may ask for. */
  async function statuses({ _id, name }: MediaAnswer, server = fixture): Promise<number[]> {
    const paths = [name, ...SIZES].map((file) => `/media/${_id}/${file}`);
    const answers = await Promise.all(paths.map((path) => fetchPicture(server, path)));
    for (const answer of answers.filter(({ status }) => status === 404)) {
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
    return [...new Set(answers.map(({ status }) => status))];
  }

  async function blogWith(
    state: (typeof STATES)[number],
    picture: MediaAnswer,
  ): Promise<BlogInState> {
    return blogIn(state, fixture.author, fixture.editor, { draftText: showing(picture) });
  }

  const readText = async (client: Person['client'], path: string): Promise<string> => {
    const { text } = (await client.get<{ text: string }>(path)).body.data;
    return text;
  };

  it.each(CASES)(
    'should open the picture that a blog that is $state has $label to readers only if it is live',
    async ({ state, showIt }) => {
      const picture = await uploaded(fixture.author.client);
      const pending = await uploaded(fixture.author.client);
      const blog = await blogIn(state, fixture.author, fixture.editor, showIt(picture));
      expect(await statuses(picture)).toEqual([FLAGS[state].published ? 200 : 404]);
      await fixture.author.client.put(`/blog/author/id/${blog._id}`, showIt(pending));
      expect(await statuses(pending)).toEqual([404]);
      const paths = [
        ...BLOG_READS.map((read) =>
          read.pathTo({ ...blog, author: fixture.author, similarBlog: blog }),
        ),
        ...DOCUMENT_READS,
      ];
      for (const path of paths) {
        const { text } = await fixture.client.get(path);
        const hidden = [
          pending._id,
          'signature=',
          ...(FLAGS[state].published ? [] : [picture._id]),
        ];
        expect([path, hidden.filter((each) => text.includes(each))]).toEqual([path, []]);
      }
    },
  );

  it.each(WAYS)(
    'should close a picture %s at once when its article is taken down, and on other processes within a second',
    async (_, showIt) => {
      const second = await startApp({ uri: fixture.uri });
      const picture = await uploaded(fixture.author.client);
      const { _id } = await blogIn('live', fixture.author, fixture.editor, showIt(picture));
      expect([await statuses(picture), await statuses(picture, { ...fixture, ...second })]).toEqual(
        [[200], [200]],
      );
      const started = performance.now();
      await fixture.editor.client.put(`/blog/editor/unpublish/id/${_id}`);
      expect(await statuses(picture)).toEqual([404]);
      await until('the other process to close it', async () => {
        const [status] = await statuses(picture, { ...fixture, ...second });
        return status === 404;
      });
      expect(performance.now() - started).toBeLessThan(5_000);
      await second.close();
    },
  );

  it('should serve every address that readers get, in sizes to choose from', async () => {
    const picture = await uploaded(fixture.author.client, { width: 700, height: 350 });
    const { _id } = await blogWith('live', picture);
    const text = await readText(fixture.client, `/blog/id/${_id}`);
    expect(text).toMatch(
      /^<p>See <img src="[^"]+\.jpg" alt="noise" width="700" height="350" srcset="[^"]+ 320w, [^"]+ 640w, [^"]+ 700w" sizes="auto, 100vw" loading="lazy" decoding="async" \/><\/p>$/,
    );
    const addresses = addressesIn(text);
    expect(addresses.length).toBe(4);
    for (const address of addresses) {
      const answer = await fetchPicture(fixture, address);
      expect([address, answer.status]).toEqual([address, 200]);
      expect(answer.headers.get('content-type')).toMatch(/^image\/(jpeg|webp)$/);
    }
  });

  it('should open a draft to its author for 15 minutes at most', async () => {
    const picture = await uploaded(fixture.author.client);
    const { _id } = await blogWith('draft', picture);
    const { body } = await fixture.author.client.get<{ draftText: string }>(
      `/blog/author/id/${_id}`,
    );
    const [address = ''] = addressesIn(body.data.draftText);
    expect(address).toContain('signature=');
    const answer = await fetchPicture(fixture, address);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const forged = address.replace(/until=(\d+)/, (_, until) => `until=${Number(until) + 300}`);
    expect((await fetchPicture(fixture, forged)).status).toBe(404);
    const ofAnother = await uploaded(other.client);
    const moved = address
      .replace(picture._id, ofAnother._id)
      .replace(/[^/]+\?/, `${ofAnother.name}?`);
    expect((await fetchPicture(fixture, moved)).status).toBe(404);
    const clock = holdClock(fixture.app, Date.now() + 15 * MINUTE);
    const late = (await fetchPicture(fixture, address)).status;
    clock.release();
    expect(late).toBe(404);
  });

  it('should open a preview until the preview ends', async () => {
    const picture = await uploaded(fixture.author.client);
    const { _id } = await blogWith('draft', picture);
    const token = await newPreview(fixture.author, 'author', _id);
    const [address = ''] = addressesIn(await readText(fixture.client, `/blog/preview/${token}`));
    expect((await fetchPicture(fixture, address)).status).toBe(200);
    await fixture.author.client.delete(`/blog/author/preview/id/${_id}`);
    expect((await fetchPicture(fixture, address)).status).toBe(404);
  });

  it('should leave out a picture that the author may not use, and say so', async () => {
    const foreign = await uploaded(other.client);
    const body = { draftText: `<p>Words</p>${showing(foreign)}` };
    const { _id } = await blogIn('draft', fixture.author, fixture.editor);
    const edited = await fixture.author.client.put<{ draftText: string }>(
      `/blog/author/id/${_id}`,
      body,
    );
    expect(edited.body.data.draftText).toBe('<p>Words</p><p>See </p>');
    expect(edited.body.warnings).toEqual([
      {
        field: 'draftText',
        message: `the picture ${foreign._id} was left out: it is not in your library`,
      },
    ]);
    // Once readers see it, everybody may use it.
    await blogIn('live', other, fixture.editor, { draftText: showing(foreign) });
    const again = await fixture.author.client.put<{ draftText: string }>(
      `/blog/author/id/${_id}`,
      body,
    );
    expect(again.body.data.draftText).toContain(foreign._id);
    expect(again.body.warnings).toBeUndefined();
  });

  it('should store nothing new if a client sends back what it has read', async () => {
    const picture = await uploaded(fixture.author.client);
    const draftText = `<p>See <img src="/media/${picture._id}/x.jpg#focus=0.5,0.3" alt="a &amp; &quot;b&quot;"></p>`;
    const { _id } = await blogIn('live', fixture.author, fixture.editor, { draftText });
    const stored = () => storedBlog(fixture.db, _id);
    const before = await stored();
    expect(before['draftText']).toBe(
      `<p>See <img src="/media/${picture._id}/${picture.name}#focus=0.5,0.3" alt="a &amp; &quot;b&quot;" width="800" height="600" /></p>`,
    );
    const { body } = await fixture.author.client.get<{ draftText: string }>(
      `/blog/author/id/${_id}`,
    );
    await fixture.author.client.put(`/blog/author/id/${_id}`, { draftText: body.data.draftText });
    const after = await stored();
    expect([after['rev'], after['draftText']]).toEqual([before['rev'], before['draftText']]);
  });

  it.each(WAYS)('should name the picture %s that a CDN has to purge', async (_, showIt) => {
    const picture = await uploaded(fixture.author.client);
    const { _id } = await blogIn('live', fixture.author, fixture.editor, showIt(picture));
    await fixture.editor.client.put(`/blog/editor/unpublish/id/${_id}`);
    const event = await until('the event', () =>
      fixture.db.collection('events').findOne({ type: 'blog.unpublished', 'data._id': _id }),
    );
    expect((event as { data?: { cacheTags?: string[] } }).data?.cacheTags).toContain(
      `media-${picture._id}`,
    );
  });
});
