import { describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { transitionOf, TRANSITIONS, type TransitionName } from './transition-table.js';
import { updateOf } from './transition-update.js';

const TRANSITION_NAMES = Object.keys(TRANSITIONS) as TransitionName[];

describe('updateOf', () => {
  const actor = new Types.ObjectId();
  const now = new Date();

  it.each(['$draftText', '$$ROOT', { $literal: 1 }, ['$slug'], 5])(
    'should bind the value %j as a literal',
    (value) => {
      const changes = { title: value as string };
      expect(updateOf('edit', { now, actor, changes })).toContainEqual({
        $set: { title: { $literal: value } },
      });
    },
  );

  it('should remove a field that an edit sets to null', () => {
    expect(updateOf('edit', { now, actor, changes: { imgUrl: null } })).toContainEqual({
      $set: { imgUrl: '$$REMOVE' },
    });
  });

  it.each(TRANSITION_NAMES)('should end %s with slugs, revision, time and actor', (name) => {
    expect(updateOf(name, { now, actor }).at(-1)).toEqual({
      $set: {
        slugs: expect.any(Object) as unknown,
        rev: expect.any(Object) as unknown,
        ...(transitionOf(name).touches ? { updatedAt: now } : {}),
        updatedBy: actor,
      },
    });
  });
});
