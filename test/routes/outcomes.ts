import type { State } from '../support/factories.js';
import type { Outcome, Outcomes, Row } from './row.js';

type Subject = Pick<Row, 'names' | 'outcomes'>;
type Line = Readonly<Record<State, Outcome>>;

// 400: the state that the blog is in forbids it; 404: not for this caller.
// prettier-ignore
const STATE_TABLE = {
  //                   draft, in review, live, live with draft, live in review
  read:        line(    200,       200,  200,             200,            200),
  edit:        line(    200,       400,  200,             200,            400),
  submit:      line(    200,       400,  400,             200,            400),
  withdraw:    line(    400,       200,  400,             400,            200),
  discard:     line(    400,       400,  400,             200,            400),
  delete:      line(    200,       200,  200,             200,            200),
  editorRead:  line(    404,       200,  200,             200,            200),
  publish:     line(    400,       200,  400,             400,            200),
  unpublish:   line(    400,       400,  200,             200,            200),
  publicRead:  line(    404,       404,  200,             200,            200),
  never:       line(    404,       404,  404,             404,            404),
};

function line(...outcomes: readonly [Outcome, Outcome, Outcome, Outcome, Outcome]): Line {
  const [draft, inReview, live, liveWithDraft, liveInReview] = outcomes;
  return {
    draft,
    'in review': inReview,
    live,
    'live with draft': liveWithDraft,
    'live in review': liveInReview,
  };
}

const MALFORMED = { unknown: 404, malformed: 400 } as const;
const EVERYONES = { own: 200, "other's": 200, ...MALFORMED } as const;

export const OF_USERS: Subject = { names: 'user', outcomes: EVERYONES };
export const OF_API_KEYS: Subject = { names: 'api key', outcomes: EVERYONES };
export const OF_OWN_SESSIONS: Subject = {
  names: 'session',
  outcomes: { ...EVERYONES, "other's": 404 },
};
/** A tag that no blog has is one like any other. */
export const OF_TAGS: Subject = { names: 'tag', outcomes: { unknown: 200 } };
export const BY_SLUG: Subject = {
  names: 'slug',
  outcomes: { ...ofStates('publicRead', 'publicRead'), unknown: 404 },
};

/** Routes that hash are asked for a refusal where every caller calls them: that takes no time. */
export const UNFIT_BODY: Subject = { outcomes: { nothing: 422 } };

/** Of an author: what is not theirs does not exist. */
export function ownBlogs(what: keyof typeof STATE_TABLE): Subject {
  return { names: 'blog', outcomes: { ...ofStates(what, 'never'), ...MALFORMED } };
}

/** Of an editor or a reader: it does not matter whose a blog is. */
export function allBlogs(what: keyof typeof STATE_TABLE): Subject {
  return { names: 'blog', outcomes: { ...ofStates(what, what), ...MALFORMED } };
}

function ofStates(own: keyof typeof STATE_TABLE, others: keyof typeof STATE_TABLE): Outcomes {
  const lines = { own, "other's": others, deleted: 'never' } as const;
  const targets = Object.entries(lines).flatMap(([whose, what]) =>
    Object.entries(STATE_TABLE[what]).map(([state, outcome]) => [`${whose} ${state}`, outcome]),
  );
  return Object.fromEntries(targets) as Outcomes;
}
