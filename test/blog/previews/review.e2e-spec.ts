import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { BlogTransitionService } from '../../../src/blog/core/transitions/blog-transition.service.js';
import type { TransitionName } from '../../../src/blog/core/transitions/transition-table.js';
import { FLAGS, openBlogFixture, type BlogFixture } from '../core/fixture.js';
import { blogBody, blogIn, STATES } from '../../support/factories.js';
import { askForPreview, newPreview, previewOf } from '../../support/previews.js';

/** What each transition out of review, and within it, leaves of an editor's preview. */
const TRANSITIONS: readonly (readonly [
  label: string,
  move: TransitionName,
  by: 'author' | 'editor',
  number,
])[] = [
  ['withdrawal', 'withdraw', 'author', 404],
  ['return', 'return', 'editor', 404],
  ['publication', 'publish', 'editor', 404],
  ['correction', 'correct', 'editor', 200],
  ['assignment', 'assign', 'editor', 200],
];

describe('The preview of an editor', () => {
  let fixture: BlogFixture;

  beforeAll(async () => {
    fixture = await openBlogFixture();
  });

  const read = (token: string) => fixture.client.get(`/blog/preview/${token}`);

  /** Through the service, because not every transition has a route of its own. */
  async function transition(
    name: TransitionName,
    by: 'author' | 'editor',
    id: string,
  ): Promise<void> {
    const owner = new Types.ObjectId(fixture.author._id);
    const editor = new Types.ObjectId(fixture.editor._id);
    await fixture.app.get(BlogTransitionService).apply(name, {
      id: new Types.ObjectId(id),
      actor: by === 'author' ? owner : editor,
      ...(by === 'author' ? { owner } : {}),
      ifMatch: null,
      details: { note: 'Say where the numbers are from.', editor },
      changes: name === 'correct' ? { title: 'A corrected title' } : {},
    });
  }

  it.each(STATES)('should be made of a blog in review alone: %s', async (state) => {
    const { _id } = await blogIn(state, fixture.author, fixture.editor);
    const { status, body } = await askForPreview(fixture.editor, 'editor', _id);
    const { submitted, published } = FLAGS[state];
    const message = submitted
      ? 'preview created successfully'
      : published
        ? `blog cannot be previewed by an editor: it is ${state}`
        : 'blog not found';
    expect([status, body.message]).toEqual([submitted ? 200 : published ? 400 : 404, message]);
  });

  it('should not be made by an author, nor that of an author by an editor or another author', async () => {
    const { _id } = await blogIn('in review', fixture.author, fixture.editor);
    expect((await askForPreview(fixture.author, 'editor', _id)).status).toBe(403);
    expect((await askForPreview(fixture.editor, 'author', _id)).status).toBe(403);
    expect((await askForPreview(fixture.other, 'author', _id)).status).toBe(404);
  });

  it.each(['in review', 'live in review'] as const)(
    'should show what is submitted of a blog that is %s',
    async (state) => {
      const { _id, body, pending } = await blogIn(state, fixture.author, fixture.editor);
      const submitted = state === 'in review' ? body : pending;
      const answer = await read(await newPreview(fixture.editor, 'editor', _id));
      expect(answer.body.data).toEqual(previewOf(submitted));
    },
  );

  describe.each(TRANSITIONS)('after a %s', (_label, name, by, expected) => {
    it(`should answer ${expected}`, async () => {
      for (const state of ['in review', 'live in review'] as const) {
        const { _id } = await blogIn(state, fixture.author, fixture.editor);
        const token = await newPreview(fixture.editor, 'editor', _id);
        expect((await read(token)).status).toBe(200);
        await transition(name, by, _id);
        const { status, body } = await read(token);
        expect([state, status]).toEqual([state, expected]);
        if (name === 'correct') expect(body.data.title).toBe('A corrected title');
      }
    });
  });

  it('should show no edit after a withdrawal, and the next submission only as such', async () => {
    const { _id } = await blogIn('in review', fixture.author, fixture.editor);
    const token = await newPreview(fixture.editor, 'editor', _id);
    const secondEdit = blogBody();
    await transition('withdraw', 'author', _id);
    await fixture.author.client.put(`/blog/author/id/${_id}`, secondEdit);
    expect((await read(token)).status).toBe(404);
    await transition('submit', 'author', _id);
    expect((await read(token)).body.data.title).toBe(secondEdit.title);
  });
});
