import { describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { toWorkingCopy } from '../../../../src/blog/core/blog-fields.js';
import type { Blog } from '../../../../src/blog/core/blog.schema.js';
import { BlogTransitionService } from '../../../../src/blog/core/transitions/blog-transition.service.js';
import { blogIn, unique } from '../../../support/factories.js';
import { openBlogFixture } from '../../core/fixture.js';
import {
  contentCount,
  expectOneForEachTransition,
  makeDue,
  namedCount,
  sweep,
} from './kept-revisions.js';

const ROUNDS = 12;

describe('authors and editors who move one blog at the same time', () => {
  it('should get one revision for each transition, with the fields of its answer', async () => {
    const fixture = await openBlogFixture({ env: { REVISIONS_KEEP: '1000' } });
    const { author, editor, app, db } = fixture;
    const { _id, body } = await blogIn('draft', author, editor);
    const id = new Types.ObjectId(_id);
    const transitions = app.get(BlogTransitionService);
    /** Title and move by the revision number of the answer. */
    const answers = new Map<number, readonly [move: string, title: string]>();
    let corrections = 0;

    const attempt = async (transition: 'submit' | 'correct' | 'publish' | 'edit' | 'withdraw') => {
      const isEditors = transition === 'correct' || transition === 'publish';
      const actor = new Types.ObjectId(isEditors ? editor._id : author._id);
      const isEdit = transition === 'edit' || transition === 'correct';
      const changes = isEdit ? { changes: toWorkingCopy({ title: unique(transition) }, 0) } : {};
      const request = { id, actor, ifMatch: null, ...changes };
      const moved = await transitions.apply(transition, request).catch((): Blog | null => null);
      if (!moved || transition === 'edit' || transition === 'withdraw') return;
      if (transition === 'correct') corrections += 1;
      answers.set(moved.rev, [transition, moved.title]);
    };
    const all = ['submit', 'correct', 'correct', 'edit', 'withdraw', 'submit', 'publish'] as const;
    for (let round = 0; round < ROUNDS; round++) {
      await attempt('submit');
      await Promise.all([...all, ...all].map(attempt));
    }

    const revisions = await expectOneForEachTransition(fixture, _id);
    expect(
      new Map(revisions.map(({ rev, move: transition, title }) => [rev, [transition, title]])),
    ).toEqual(answers);
    for (const [index, { move: transition, title }] of revisions.entries()) {
      // What is published is what was submitted or corrected last.
      if (transition === 'publish') expect(revisions[index - 1]?.title).toBe(title);
    }
    expect([corrections > 0, answers.size > ROUNDS]).toEqual([true, true]);
    expect(revisions.every(({ draftText }) => draftText === body.draftText)).toBe(true);
    await makeDue(db);
    await sweep(fixture);
    expect(await contentCount(db, _id)).toBe(await namedCount(db, _id));
    expect(await expectOneForEachTransition(fixture, _id)).toEqual(revisions);
  }, 60_000);
});
