import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer, Client } from '../../support/client.js';
import { blogBody, blogIn, unique, type State } from '../../support/factories.js';
import { openBlogFixture, storedBlog, type BlogFixture } from './fixture.js';
import { makeTransition, personFor } from './transition-table.js';

const CONCURRENCY = 20;
type Blog = Readonly<Record<string, string>>;

describe('races', () => {
  let fixture: BlogFixture;
  let author: Client;
  let editor: Client;

  beforeAll(async () => {
    fixture = await openBlogFixture();
    author = fixture.author.client;
    editor = fixture.editor.client;
  });

  const sendAll = (
    send: (n: number) => Promise<Answer<Blog>>,
    count = CONCURRENCY,
  ): Promise<Answer<Blog>[]> => Promise.all(Array.from({ length: count }, (_, n) => send(n)));
  const successes = (answers: readonly Answer<Blog>[]): Answer<Blog>[] =>
    answers.filter(({ status }) => status === 200);
  const refusals = (answers: readonly Answer<Blog>[]): string[] =>
    answers
      .filter(({ status }) => status !== 200)
      .map(({ body }) => `${body.status} ${body.message}`);
  const times = (count: number, text: string): string[] => Array<string>(count).fill(text);
  const stored = (id: string) => storedBlog(fixture.db, id);
  const idIn = async (state: State): Promise<string> =>
    (await blogIn(state, fixture.author, fixture.editor))._id;

  it('should give a slug to only one of 20 blogs that are created with it', async () => {
    const slug = unique('wanted');
    const answers = await sendAll(() => author.post('/blog/author', blogBody({ slug })));
    expect(successes(answers)).toHaveLength(1);
    expect(refusals(answers)).toEqual(times(19, `400 blog with slug: ${slug} already exists`));
    expect(await fixture.db.collection('blogs').countDocuments({ slugs: slug })).toBe(1);
  });

  it('should give 20 blogs of the same title 20 different slugs', async () => {
    const { slug: title, ...body } = blogBody();
    const answers = await sendAll(() => author.post('/blog/author', { ...body, title }));
    const slugs = answers.map(({ body: { data } }) => data['slug']);
    expect(new Set(slugs).size).toBe(CONCURRENCY);
    for (const slug of slugs) expect(slug).toMatch(new RegExp(`^${title}(-[0-9a-z]+)?$`));
    expect(slugs).toEqual(expect.arrayContaining([title, `${title}-2`, `${title}-9`]));
  });

  it.each([
    ['submit', 'draft', '400 blog cannot be submitted: it is in review'],
    ['withdraw', 'in review', '400 blog cannot be withdrawn: it is draft'],
    ['publish', 'in review', '400 blog cannot be published: it is live'],
    ['unpublish', 'live', '400 blog cannot be unpublished: it is draft'],
    ['discard', 'live with draft', '400 blog cannot be discarded: it is live'],
    ['delete', 'live in review', '404 blog not found'],
  ] as const)('should let one of 20 requests %s a blog (%s)', async (transition, from, refusal) => {
    const id = await idIn(from);
    const { rev } = await stored(id);
    const client = personFor(transition, fixture).client;
    const answers = await sendAll(() => makeTransition(client, transition, id));
    expect(successes(answers)).toHaveLength(1);
    expect(refusals(answers)).toEqual(times(19, refusal));
    expect((await stored(id))['rev']).toBe(rev + 1);
  });

  it('should complete either a publish or a withdrawal, never parts of both', async () => {
    const id = await idIn('in review');
    const answers = await sendAll((n) =>
      n % 2 === 0
        ? editor.put(`/blog/editor/publish/id/${id}`)
        : author.put(`/blog/author/withdraw/${id}`),
    );
    expect(successes(answers)).toHaveLength(1);
    const blog = await stored(id);
    const isPublished = successes(answers)[0]?.body.message === 'blog published successfully';
    expect(blog).toMatchObject(
      isPublished
        ? { published: true, drafted: false, submitted: false, text: blog['draftText'] }
        : { published: false, drafted: true, submitted: false },
    );
    expect('live' in blog).toBe(isPublished);
    expect((await fixture.client.get(`/blog/id/${id}`)).status).toBe(isPublished ? 200 : 404);
  });

  it('should let no edit into the submitted revision', async () => {
    const id = await idIn('draft');
    const answers = await sendAll((n) =>
      n === 10
        ? author.put(`/blog/author/submit/${id}`)
        : author.put(`/blog/author/id/${id}`, { title: `Title ${n}` }),
    );
    const submitted = answers[10];
    expect(submitted?.status).toBe(200);
    const edits = answers.filter((answer) => answer !== submitted);
    const refused = refusals(edits);
    expect(refused).toEqual(times(refused.length, '400 blog is under review: withdraw it first'));
    const blog = await stored(id);
    expect(blog).toMatchObject({ submitted: true, title: submitted?.body.data['title'] });
    // Every successful edit came before the submission, and none was lost.
    expect(blog['rev']).toBe(1 + successes(answers).length);
  });

  it('should publish exactly the revision that its answer shows, despite concurrent edits', async () => {
    const id = await idIn('live in review');
    const [publish] = await Promise.all([
      editor.put<Blog>(`/blog/editor/publish/id/${id}`),
      ...Array.from({ length: CONCURRENCY }, (_, n) =>
        author.put(`/blog/author/id/${id}`, { title: `Title ${n}`, draftText: `<p>${n}</p>` }),
      ),
    ]);
    expect(publish.status).toBe(200);
    const { title, draftText } = publish.body.data;
    expect((await fixture.client.get(`/blog/id/${id}`)).body.data).toMatchObject({
      title,
      text: draftText,
    });
  });
});
