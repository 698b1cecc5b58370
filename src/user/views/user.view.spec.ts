import { describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import { toUserView } from './user.view.js';

const id = (digit: string): Types.ObjectId => new Types.ObjectId(digit.repeat(24));
const ROLES = [
  { _id: id('4'), code: 'ADMIN' },
  { _id: id('2'), code: 'WRITER' },
  { _id: id('3'), code: 'EDITOR' },
  { _id: id('9'), code: 'SOMETHING_ELSE' },
  { _id: id('1'), code: 'LEARNER' },
];
const NO_LINKS = () => ({ url: '/', sources: [] });
const USER = {
  _id: id('a'),
  email: 'ada@example.org',
  name: 'Ada',
  roles: ROLES.map(({ _id }) => _id),
};

describe('toUserView', () => {
  it('should sort the roles as LEARNER, AUTHOR, EDITOR, ADMIN, and keep the stored codes', () => {
    const { roles } = toUserView(USER, ROLES, NO_LINKS);
    expect(roles.map(({ code }) => code)).toEqual([
      'LEARNER',
      'WRITER',
      'EDITOR',
      'ADMIN',
      'SOMETHING_ELSE',
    ]);
    expect(roles[1]).toEqual({ _id: '2'.repeat(24), code: 'WRITER' });
  });

  it.each([null, ''])('should show no picture for %j', (profilePicUrl) => {
    expect(toUserView({ ...USER, profilePicUrl }, ROLES, NO_LINKS)).not.toHaveProperty(
      'profilePicUrl',
    );
  });
});
