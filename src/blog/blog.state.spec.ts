import { describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import {
  BLOG_STATES,
  MOVES,
  stateOf,
  updateOf,
  type BlogFlags,
  type BlogState,
  type MoveName,
} from './blog.state.js';

const MOVE_NAMES = Object.keys(MOVES) as MoveName[];
const STATES = Object.entries(BLOG_STATES) as [BlogState, BlogFlags][];

/** Older servers left flags out, or null. */
const FLAG_VALUES = [true, false, undefined, null];
const EVERY_COMBINATION = FLAG_VALUES.flatMap((submitted) =>
  FLAG_VALUES.flatMap((drafted) =>
    FLAG_VALUES.map((published) => ({ submitted, drafted, published }) as BlogFlags),
  ),
);

/** As MongoDB matches the few forms that preconditions take. */
function matches(filter: Readonly<Record<string, unknown>>, flags: BlogFlags): boolean {
  return Object.entries(filter).every(([name, wanted]) => {
    if (name === '$or') return (wanted as (typeof filter)[]).some((part) => matches(part, flags));
    const value = flags[name as keyof BlogFlags];
    if (typeof wanted === 'boolean') return value === wanted;
    if (JSON.stringify(wanted) === '{"$ne":true}') return value !== true;
    throw new Error(`a form that this test does not know: ${name} ${JSON.stringify(wanted)}`);
  });
}

describe('stateOf', () => {
  it.each(STATES)('should read the flags of %s', (state, flags) => {
    expect(stateOf(flags)).toBe(state);
  });

  it.each([
    [{ submitted: true, drafted: true, published: false }, 'in review'],
    [{ submitted: true, drafted: true, published: true }, 'live in review'],
    [{ submitted: false, drafted: false, published: false }, 'draft'],
  ] as const)('should read %j, which an older server left, as %s', (flags, state) => {
    expect(stateOf(flags)).toBe(state);
  });
});

describe('MOVES', () => {
  it.each(MOVE_NAMES)(
    'should let %s start from the states that its precondition admits',
    (name) => {
      const { from, precondition } = MOVES[name];
      for (const flags of EVERY_COMBINATION) {
        const isNamed = (from as readonly BlogState[]).includes(stateOf(flags));
        expect([flags, matches(precondition, flags)]).toEqual([flags, isNamed]);
      }
    },
  );
});

describe('updateOf', () => {
  const actor = new Types.ObjectId();
  const now = new Date();

  it.each(['$draftText', '$$ROOT', { $literal: 1 }, ['$slug'], 5])(
    'should bind the value %j as a literal',
    (value) => {
      const changes = { title: value as string };
      expect(updateOf('edit', now, actor, changes)).toContainEqual({
        $set: { title: { $literal: value } },
      });
    },
  );

  it('should remove what an edit sets to null', () => {
    expect(updateOf('edit', now, actor, { imgUrl: null })).toContainEqual({
      $set: { imgUrl: '$$REMOVE' },
    });
  });

  it.each(MOVE_NAMES)('should end %s with slugs, revision, time and actor', (name) => {
    expect(updateOf(name, now, actor).at(-1)).toEqual({
      $set: {
        slugs: expect.any(Object),
        rev: expect.any(Object),
        updatedAt: now,
        updatedBy: actor,
      },
    });
  });
});
