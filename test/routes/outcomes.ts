import type { State } from '../support/factories.js';
import type { Outcome, Outcomes, Row } from './row.js';

type TargetOutcomes = Pick<Row, 'parameter' | 'outcomes'>;
type OutcomesByState = Readonly<Record<State, Outcome>>;

// 400: the state of the blog forbids the operation; 404: the caller does not see the blog.
// prettier-ignore
const STATE_TABLE = {
  //                      draft, in review, live, live with draft, live in review
  read:        byState(    200,       200,  200,             200,            200),
  edit:        byState(    200,       400,  200,             200,            400),
  submit:      byState(    200,       400,  400,             200,            400),
  withdraw:    byState(    400,       200,  400,             400,            200),
  discard:     byState(    400,       400,  400,             200,            400),
  delete:      byState(    200,       200,  200,             200,            200),
  editorRead:  byState(    404,       200,  200,             200,            200),
  editorPreview: byState(  404,       200,  400,             400,            200),
  publish:     byState(    400,       200,  400,             400,            200),
  return:      byState(    400,       200,  400,             400,            200),
  correct:     byState(    400,       200,  400,             400,            200),
  assign:      byState(    400,       200,  400,             400,            200),
  unpublish:   byState(    400,       400,  200,             200,            200),
  schedule:    byState(    400,       200,  400,             400,            200),
  unschedule:  byState(    400,       200,  200,             200,            200),
  publicRead:  byState(    404,       404,  200,             200,            200),
  always:      byState(    200,       200,  200,             200,            200),
  revisionRead: byState(   404,       200,  200,             200,            200),
  restore:     byState(    404,       400,  200,             200,            400),
  never:       byState(    404,       404,  404,             404,            404),
};

function byState(
  ...outcomes: readonly [Outcome, Outcome, Outcome, Outcome, Outcome]
): OutcomesByState {
  const [draft, inReview, live, liveWithDraft, liveInReview] = outcomes;
  return {
    draft,
    'in review': inReview,
    live,
    'live with draft': liveWithDraft,
    'live in review': liveInReview,
  };
}

const UNKNOWN_OR_MALFORMED = { unknown: 404, malformed: 400 } as const;
const ANY_OWNER = { own: 200, "other's": 200, ...UNKNOWN_OR_MALFORMED } as const;

export const OF_USERS: TargetOutcomes = { parameter: 'user', outcomes: ANY_OWNER };
export const OF_JOBS: TargetOutcomes = { parameter: 'job', outcomes: ANY_OWNER };
export const OF_INVITATIONS: TargetOutcomes = { parameter: 'invitation', outcomes: ANY_OWNER };
export const OF_WEBHOOKS: TargetOutcomes = { parameter: 'webhook', outcomes: ANY_OWNER };
export const OF_API_KEYS: TargetOutcomes = { parameter: 'api key', outcomes: ANY_OWNER };
export const OF_OWN_SESSIONS: TargetOutcomes = {
  parameter: 'session',
  outcomes: { ...ANY_OWNER, "other's": 404 },
};
export const OF_OWN_TOKENS: TargetOutcomes = {
  parameter: 'token',
  outcomes: { ...ANY_OWNER, "other's": 404 },
};
export const OF_OWN_FACTORS: TargetOutcomes = {
  parameter: 'factor',
  outcomes: { ...ANY_OWNER, "other's": 404 },
};
/** The list of an unknown tag is empty. */
export const OF_TAGS: TargetOutcomes = { parameter: 'tag', outcomes: { unknown: 200 } };
export const BY_SLUG: TargetOutcomes = {
  parameter: 'slug',
  outcomes: { ...ofStates('publicRead', 'publicRead'), unknown: 404 },
};

/** A token opens its preview for every caller; any other text is an unknown token. */
export const OF_PREVIEWS: TargetOutcomes = {
  parameter: 'preview',
  outcomes: { "other's": 200, unknown: 404, malformed: 404 },
};

/** To routes that hash a password, the access tests send an empty body, because its refusal takes no time. */
export const INVALID_BODY: TargetOutcomes = { outcomes: { nothing: 422 } };

/** Outcomes for an author, to whom the blogs of others do not exist. */
export function ownBlogs(operation: keyof typeof STATE_TABLE): TargetOutcomes {
  return {
    parameter: 'blog',
    outcomes: { ...ofStates(operation, 'never'), ...UNKNOWN_OR_MALFORMED },
  };
}

/** Outcomes for an author, to whom only their own deleted blogs exist. */
export const OF_TRASH: TargetOutcomes = {
  parameter: 'blog',
  outcomes: { ...ofStates('never', 'never', 'always'), ...UNKNOWN_OR_MALFORMED },
};

/** Outcomes for an editor or a reader, who see the blogs of all authors alike. */
export function allBlogs(operation: keyof typeof STATE_TABLE): TargetOutcomes {
  return {
    parameter: 'blog',
    outcomes: { ...ofStates(operation, operation), ...UNKNOWN_OR_MALFORMED },
  };
}

/** Outcomes for the first submission of a blog; a draft has none. */
export function ofRevisions(
  operation: keyof typeof STATE_TABLE,
  whose: 'own' | 'all',
): TargetOutcomes {
  const others = whose === 'own' ? 'never' : operation;
  return {
    parameter: 'revision',
    outcomes: { ...ofStates(operation, others), ...UNKNOWN_OR_MALFORMED },
  };
}

/** Replaces 200 by 403 for the records of others, which the caller may only read. */
export function othersForbidden({ outcomes = {}, ...rest }: TargetOutcomes): TargetOutcomes {
  const refused = Object.entries(outcomes).map(([target, outcome]) => [
    target,
    target.startsWith("other's ") && outcome === 200 ? 403 : outcome,
  ]);
  return { ...rest, outcomes: Object.fromEntries(refused) as Outcomes };
}

function ofStates(
  own: keyof typeof STATE_TABLE,
  others: keyof typeof STATE_TABLE,
  deleted: keyof typeof STATE_TABLE = 'never',
): Outcomes {
  const operations = { own, "other's": others, deleted } as const;
  const targets = Object.entries(operations).flatMap(([ownership, operation]) =>
    Object.entries(STATE_TABLE[operation]).map(([state, outcome]) => [
      `${ownership} ${state}`,
      outcome,
    ]),
  );
  return Object.fromEntries(targets) as Outcomes;
}
