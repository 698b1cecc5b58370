import type { BlogState } from '../../../blog/core/blog.state.js';
import type { TransitionName } from '../../../blog/core/transitions/transition-table.js';

type Step = Extract<TransitionName, 'submit' | 'publish' | 'edit'>;

/**
 * The transitions that lead a new draft to each state. An edit of a live blog keeps the live version and adds a
 * draft. The demo, the tests and the fuzz program use this table.
 */
export const PATH_TO_STATE: Readonly<Record<BlogState, readonly Step[]>> = {
  draft: [],
  'in review': ['submit'],
  live: ['submit', 'publish'],
  'live with draft': ['submit', 'publish', 'edit'],
  'live in review': ['submit', 'publish', 'edit', 'submit'],
};
