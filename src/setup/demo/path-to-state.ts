import type { BlogState, MoveName } from '../../blog/blog.state.js';

type Step = Extract<MoveName, 'submit' | 'publish' | 'edit'>;

/**
 * The moves that lead a new draft to each state. An edit of a live blog creates a draft beside it.
 */
export const PATH_TO_STATE: Readonly<Record<BlogState, readonly Step[]>> = {
  draft: [],
  'in review': ['submit'],
  live: ['submit', 'publish'],
  'live with draft': ['submit', 'publish', 'edit'],
  'live in review': ['submit', 'publish', 'edit', 'submit'],
};
