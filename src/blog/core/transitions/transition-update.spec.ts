import { describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { updateOf } from './transition-update.js';

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
});
