import { describe, expect, it } from '@jest/globals';
import { BLOG_STATES, stateOf, type BlogFlags, type BlogState } from './blog.state.js';

const STATES = Object.entries(BLOG_STATES) as [BlogState, BlogFlags][];

describe('stateOf', () => {
  it.each(STATES)('should read the flags of %s', (state, flags) => {
    expect(stateOf(flags)).toBe(state);
  });

  it.each([
    [{ submitted: true, drafted: true, published: false }, 'in review'],
    [{ submitted: true, drafted: true, published: true }, 'live in review'],
    [{ submitted: false, drafted: false, published: false }, 'draft'],
    [{}, 'draft'],
    [{ submitted: null, drafted: null, published: null }, 'draft'],
    [{ submitted: true }, 'in review'],
    [{ submitted: true, published: true, drafted: null }, 'live in review'],
    [{ published: true }, 'live'],
    [{ published: true, drafted: true, submitted: null }, 'live with draft'],
  ] as const)('should read %j, which an older server left, as %s', (flags, state) => {
    expect(stateOf(flags as BlogFlags)).toBe(state);
  });
});
