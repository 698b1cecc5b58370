import { STATES, type State } from '../support/factories.js';

export const BY_AUTHOR = ['edit', 'submit', 'withdraw', 'discard', 'delete'] as const;
export const BY_EDITOR = ['publish', 'unpublish'] as const;
export type Move = (typeof BY_AUTHOR)[number] | (typeof BY_EDITOR)[number];

/** As the message of a success says it. */
export const MOVE_PARTICIPLES: Readonly<Record<Move, string>> = {
  edit: 'updated',
  submit: 'submitted',
  withdraw: 'withdrawn',
  discard: 'discarded',
  delete: 'deleted',
  publish: 'published',
  unpublish: 'unpublished',
};

/** The blog's id follows. */
export const ROUTES: Readonly<Record<Move, readonly [method: string, path: string]>> = {
  edit: ['PUT', '/blog/author/id/'],
  submit: ['PUT', '/blog/author/submit/'],
  withdraw: ['PUT', '/blog/author/withdraw/'],
  discard: ['PUT', '/blog/author/discard/'],
  delete: ['DELETE', '/blog/author/id/'],
  publish: ['PUT', '/blog/editor/publish/id/'],
  unpublish: ['PUT', '/blog/editor/unpublish/id/'],
};

/** What a move leads to; all others are refused. Not blog.state.ts, which is what is tested. */
const STATE_AFTER_MOVE: Readonly<Record<State, Partial<Record<Move, State | 'deleted'>>>> = {
  draft: { edit: 'draft', submit: 'in review', delete: 'deleted' },
  'in review': { withdraw: 'draft', delete: 'deleted', publish: 'live' },
  live: { edit: 'live with draft', delete: 'deleted', unpublish: 'draft' },
  'live with draft': {
    edit: 'live with draft',
    submit: 'live in review',
    discard: 'live',
    delete: 'deleted',
    unpublish: 'draft',
  },
  'live in review': {
    withdraw: 'live with draft',
    delete: 'deleted',
    publish: 'live',
    unpublish: 'draft',
  },
};

/** Every move of a blog in every state; `to` is undefined where it is refused. */
export const MOVE_CASES = STATES.flatMap((state) =>
  [...BY_AUTHOR, ...BY_EDITOR].map((move) => ({ state, move, to: STATE_AFTER_MOVE[state][move] })),
);
