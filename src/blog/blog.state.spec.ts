import { describe, expect, it } from '@jest/globals';
import { Types } from 'mongoose';
import {
  BLOG_STATES,
  isAllowed,
  isFoundBy,
  MOVES,
  preconditionOf,
  stateOf,
  updateOf,
  type BlogFlags,
  type BlogState,
  type MoveName,
  type StoredState,
} from './blog.state.js';

const MOVE_NAMES = Object.keys(MOVES) as MoveName[];
const STATES = Object.entries(BLOG_STATES) as [BlogState, BlogFlags][];

/** Older servers left flags out, or null. */
const FLAG_VALUES = [true, false, undefined, null];
const EVERY_COMBINATION = FLAG_VALUES.flatMap((submitted) =>
  FLAG_VALUES.flatMap((drafted) =>
    FLAG_VALUES.flatMap((published) =>
      FLAG_VALUES.flatMap((status) =>
        [{}, { live: { title: 'Public' } }].map(
          (live) => ({ submitted, drafted, published, status, ...live }) as StoredState,
        ),
      ),
    ),
  ),
);

/** Matches a filter as MongoDB does, for the operators that occur in preconditions. */
function matches(filter: Readonly<Record<string, unknown>>, blog: StoredState): boolean {
  return Object.entries(filter).every(([name, wanted]) => {
    if (name === '$or') return (wanted as (typeof filter)[]).some((part) => matches(part, blog));
    const value = blog[name as keyof StoredState];
    if (typeof wanted === 'boolean') return value === wanted;
    if (JSON.stringify(wanted) === '{"$ne":true}') return value !== true;
    if (JSON.stringify(wanted) === '{"$exists":true}') return name in blog;
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
      const from: readonly BlogState[] = MOVES[name].from;
      for (const blog of EVERY_COMBINATION) {
        const isMatch = matches(preconditionOf(name), blog);
        expect([blog, isFoundBy(name, blog) && isAllowed(name, blog)]).toEqual([blog, isMatch]);
        if (blog.live !== undefined) continue;
        const isNamed = blog.status === true && from.includes(stateOf(blog));
        expect([blog, isMatch]).toEqual([blog, isNamed]);
      }
    },
  );

  it.each(MOVE_NAMES)('should let only unpublish and delete find hidden blogs: %s', (name) => {
    const isReached = name === 'unpublish' || name === 'delete';
    const hidden = EVERY_COMBINATION.filter(
      ({ live, status, published }) => live !== undefined && !(status && published),
    );
    const reached = hidden.filter((blog) => matches(preconditionOf(name), blog));
    if (isReached) expect(reached).toEqual(hidden);
    else expect(reached.filter(({ status }) => status !== true)).toEqual([]);
  });
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

  it('should remove a field that an edit sets to null', () => {
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
