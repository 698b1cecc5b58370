import { describe, expect, it } from '@jest/globals';
import { stateOf } from '../blog.state.js';
import type { StoredState } from './transition.js';
import { TRANSITIONS, transitionOf, type TransitionName } from './transition-table.js';
import { isAllowed, isFoundBy, preconditionOf } from './preconditions.js';

const TRANSITION_NAMES = Object.keys(TRANSITIONS) as TransitionName[];

/** Older servers left flags out, or null. */
const FLAG_VALUES = [true, false, undefined, null];
const EVERY_COMBINATION = FLAG_VALUES.flatMap((submitted) =>
  FLAG_VALUES.flatMap((drafted) =>
    FLAG_VALUES.flatMap((published) =>
      FLAG_VALUES.flatMap((status) =>
        [{}, { live: { title: 'Public' } }, { trashedAt: new Date() }].map(
          (others) => ({ submitted, drafted, published, status, ...others }) as StoredState,
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
    const { $gt } = wanted as { readonly $gt?: unknown };
    if ($gt instanceof Date) return value instanceof Date && value > $gt;
    throw new Error(`a form that this test does not know: ${name} ${JSON.stringify(wanted)}`);
  });
}

describe('TRANSITIONS', () => {
  it.each(TRANSITION_NAMES)(
    'should let %s start from the states that its precondition admits',
    (name) => {
      const { from, fromTrash } = transitionOf(name);
      for (const blog of EVERY_COMBINATION) {
        const isMatch = matches(preconditionOf(name), blog);
        expect([blog, isFoundBy(name, blog) && isAllowed(name, blog)]).toEqual([blog, isMatch]);
        if (blog.live !== undefined) continue;
        const isNamed = fromTrash
          ? blog.status === false && blog.trashedAt !== undefined
          : blog.status === true && from.includes(stateOf(blog));
        expect([blog, isMatch]).toEqual([blog, isNamed]);
      }
    },
  );

  it.each(TRANSITION_NAMES)(
    'should let only unpublish and delete find hidden blogs: %s',
    (name) => {
      const isReached = name === 'unpublish' || name === 'delete';
      const hidden = EVERY_COMBINATION.filter(
        ({ live, status, published }) => live !== undefined && !(status && published),
      );
      const reached = hidden.filter((blog) => matches(preconditionOf(name), blog));
      if (isReached) expect(reached).toEqual(hidden);
      else expect(reached.filter(({ status }) => status !== true)).toEqual([]);
    },
  );
});
