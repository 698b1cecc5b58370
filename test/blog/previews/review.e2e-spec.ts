import { beforeAll, describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { BlogTransitionService } from '../../../src/blog/core/transitions/blog-transition.service.js';
import type { TransitionName } from '../../../src/blog/core/transitions/transition-table.js';
import { openBlogFixture, type BlogFixture } from '../core/fixture.js';
import { blogBody, blogIn } from '../../support/factories.js';
import { newPreview } from '../../support/previews.js';

/** What each transition out of review, and within it, leaves of an editor's preview. */
const TRANSITIONS = [
  ['withdraw', 'author', 404],
  ['return', 'editor', 404],
  ['publish', 'editor', 404],
  ['correct', 'editor', 200],
  ['assign', 'editor', 200],
] as const satisfies readonly (readonly [TransitionName, string, number])[];

describe('The preview of an editor', () => {
  let fixture: BlogFixture;

  beforeAll(async () => {
    fixture = await openBlogFixture();
  });

  const read = (token: string) => fixture.client.get(`/blog/preview/${token}`);

  /** Asks the service, which takes the name of a transition. */
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

  it.each(TRANSITIONS)(
    'should after %s by the %s be answered with %i',
    async (name, by, expected) => {
      for (const state of ['in review', 'live in review'] as const) {
        const { _id } = await blogIn(state, fixture.author, fixture.editor);
        const token = await newPreview(fixture.editor, 'editor', _id);
        expect((await read(token)).status).toBe(200);
        await transition(name, by, _id);
        const { status, body } = await read(token);
        expect([state, status]).toEqual([state, expected]);
        if (name === 'correct') expect(body.data.title).toBe('A corrected title');
      }
    },
  );

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
