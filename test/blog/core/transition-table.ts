import type { BlogBody } from '../../support/blog-fields.js';
import type { Answer, Client } from '../../support/client.js';
import { STATES, type Person, type State } from '../../support/factories.js';
import type { BlogFixture } from './fixture.js';

export const AUTHOR_TRANSITION_NAMES = ['edit', 'submit', 'withdraw', 'discard', 'delete'] as const;
export const EDITOR_TRANSITION_NAMES = ['publish', 'unpublish', 'return', 'correct'] as const;
export type Transition =
  (typeof AUTHOR_TRANSITION_NAMES)[number] | (typeof EDITOR_TRANSITION_NAMES)[number];

/** The word for each transition in the message of a successful answer. */
export const TRANSITION_PARTICIPLES: Readonly<Record<Transition, string>> = {
  edit: 'updated',
  submit: 'submitted',
  withdraw: 'withdrawn',
  discard: 'discarded',
  delete: 'deleted',
  publish: 'published',
  unpublish: 'unpublished',
  return: 'returned',
  correct: 'corrected',
};

/** Method and path of each transition; the id of the blog is appended to the path. */
const ROUTES: Readonly<Record<Transition, readonly [method: string, path: string]>> = {
  edit: ['PUT', '/blog/author/id/'],
  submit: ['PUT', '/blog/author/submit/'],
  withdraw: ['PUT', '/blog/author/withdraw/'],
  discard: ['PUT', '/blog/author/discard/'],
  delete: ['DELETE', '/blog/author/id/'],
  publish: ['PUT', '/blog/editor/publish/id/'],
  unpublish: ['PUT', '/blog/editor/unpublish/id/'],
  return: ['PUT', '/blog/editor/return/id/'],
  correct: ['PUT', '/blog/editor/id/'],
};

/** The value of If-Match, which a correction needs: it lists all revision numbers that a test may reach. */
const ANY_EARLY_REVISION = Array.from({ length: 20 }, (_, rev) => `"${rev}"`).join(', ');

/** The note of a return. */
export const NOTE = 'Please name your sources.';

/** @param fields what an edit or a correction changes */
export function makeTransition(
  client: Client,
  transition: Transition,
  id: string,
  fields: Partial<BlogBody> = {},
): Promise<Answer<Readonly<Record<string, string>>>> {
  const [method, path] = ROUTES[transition];
  const bodies: Partial<Record<Transition, object>> = {
    edit: fields,
    correct: fields,
    return: { note: NOTE },
  };
  return client.request(method, path + id, {
    body: bodies[transition],
    headers: transition === 'correct' ? { 'if-match': ANY_EARLY_REVISION } : {},
  });
}

/** The person who may make the transition. */
export function personFor(
  transition: Transition,
  { author, editor }: Pick<BlogFixture, 'author' | 'editor'>,
): Person {
  return (AUTHOR_TRANSITION_NAMES as readonly Transition[]).includes(transition) ? author : editor;
}

/** The state after each allowed transition; all others are refused. Not derived from blog.state.ts, which it tests. */
const STATE_AFTER_TRANSITION: Readonly<
  Record<State, Partial<Record<Transition, State | 'deleted'>>>
> = {
  draft: { edit: 'draft', submit: 'in review', delete: 'deleted' },
  'in review': {
    withdraw: 'draft',
    delete: 'deleted',
    publish: 'live',
    return: 'draft',
    correct: 'in review',
  },
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
    return: 'live with draft',
    correct: 'live in review',
  },
};

/** Every transition of a blog in every state; `to` is undefined where it is refused. */
export const TRANSITION_CASES = STATES.flatMap((state) =>
  [...AUTHOR_TRANSITION_NAMES, ...EDITOR_TRANSITION_NAMES].map((transition) => ({
    state,
    transition,
    to: STATE_AFTER_TRANSITION[state][transition],
  })),
);

const UNDER_REVIEW = { 'in review': 'under_review', 'live in review': 'under_review' };

/** The reason for which a transition is refused: one for all states, or one for each. */
const REASONS: Readonly<Record<Transition, string | Partial<Record<State, string>>>> = {
  edit: 'under_review',
  submit: { ...UNDER_REVIEW, live: 'no_edits' },
  withdraw: 'not_submitted',
  discard: { ...UNDER_REVIEW, draft: 'not_live', live: 'no_edits' },
  delete: {},
  publish: 'not_submitted',
  unpublish: 'not_live',
  return: 'not_submitted',
  correct: 'not_submitted',
};

/** The answer to a transition that the state forbids. */
export function refusalOf(
  transition: Transition,
  state: State,
): { message: string; reason: string | undefined } {
  const found = REASONS[transition];
  const reason = typeof found === 'string' ? found : found[state];
  if (transition === 'edit') return { message: 'blog is under review: withdraw it first', reason };
  return {
    message: `blog cannot be ${TRANSITION_PARTICIPLES[transition]}: it is ${state}${adviceFor(transition, state)}`,
    reason,
  };
}

function adviceFor(transition: Transition, state: State): string {
  if (transition === 'submit' && state === 'live') {
    return ' without edits, so there is nothing to submit';
  }
  const isUnsubmitted = state === 'draft' || state === 'live with draft';
  return transition === 'publish' && isUnsubmitted ? '; submit it first' : '';
}
