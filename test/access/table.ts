import type { RoleCode } from '../../src/common/access/role-code.js';
import { PASSWORD, type State } from '../support/factories.js';

/** What the `:id` or `:slug` of a path names, or the `_id` of a body. */
export type Named = 'nothing' | 'blog' | 'slug' | 'user' | 'api key' | 'session';

/** A deleted blog is named with the state that it was deleted in. */
export type Whose = 'own' | "other's" | 'deleted';

export type Target = 'nothing' | 'own' | "other's" | 'unknown' | 'malformed' | `${Whose} ${State}`;

export type Outcome = 200 | 204 | 400 | 404 | 422;

/** By target: the answer to a caller who has passed key, token and role. */
export type Outcomes = Readonly<Partial<Record<Target, Outcome>>>;

/** What a request must bring before the handler of a route runs, and what the handler answers. */
export interface AccessRow {
  readonly method: string;
  readonly path: string;
  readonly key: boolean;
  /** `expired-ok`: the signature must hold, but the token may have expired. */
  readonly token: 'required' | 'expired-ok' | 'none';
  readonly role: RoleCode | null;
  readonly names: Named;
  readonly outcomes: Outcomes;
  /** JSON; `:id` stands for the target's id, `:refresh` for the caller's refresh token. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** The collections that a success writes to. */
  readonly writes: readonly string[];
}

type Access = Pick<AccessRow, 'key' | 'token' | 'role'>;
type Subject = Pick<AccessRow, 'names' | 'outcomes'>;
type Effect = Pick<AccessRow, 'body' | 'writes'>;
type Line = Readonly<Record<State, Outcome>>;

const OPEN: Access = { key: false, token: 'none', role: null };
const KEY: Access = { key: true, token: 'none', role: null };
const TOKEN: Access = { key: true, token: 'required', role: null };
const EXPIRED_TOKEN: Access = { key: true, token: 'expired-ok', role: null };
const AUTHOR: Access = { key: true, token: 'required', role: 'AUTHOR' };
const EDITOR: Access = { key: true, token: 'required', role: 'EDITOR' };
const ADMIN: Access = { key: true, token: 'required', role: 'ADMIN' };

// Contract, section 6. 400: the state that the blog is in forbids it; 404: not for this caller.
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

const NOTHING: Subject = { names: 'nothing', outcomes: { nothing: 200 } };
const UNFIT_BODY: Subject = { names: 'nothing', outcomes: { nothing: 422 } };
const EVERYONES = { own: 200, "other's": 200, unknown: 404, malformed: 400 } as const;
const OF_USERS: Subject = { names: 'user', outcomes: EVERYONES };
const OF_API_KEYS: Subject = { names: 'api key', outcomes: EVERYONES };
const OF_OWN_SESSIONS: Subject = { names: 'session', outcomes: { ...EVERYONES, "other's": 404 } };

const READS: Effect = { writes: [] };
const WRITES_BLOG: Effect = { writes: ['blogs'] };
/** Changes of an account count up a guard on the role ADMIN. */
const WRITES_ACCOUNT: readonly string[] = ['roles', 'users'];
const TITLE = 'A title of the access table';

/** Served with DOCS=on only. */
export const DOCS_ROWS: readonly AccessRow[] = [
  ...rows('GET HEAD', '/openapi.json', OPEN),
  ...rows('GET HEAD', '/docs', OPEN),
  ...rows('GET HEAD', '/docs/start.js', OPEN),
  ...rows('GET HEAD', '/docs/swagger-ui.css', OPEN),
  ...rows('GET HEAD', '/docs/swagger-ui-bundle.js', OPEN),
  ...rows('GET HEAD', '/docs/favicon-16x16.png', OPEN),
  ...rows('GET HEAD', '/docs/favicon-32x32.png', OPEN),
];

/** CORS preflights; not served without CORS_ORIGINS. */
export const PREFLIGHT_ROWS: readonly AccessRow[] = rows('OPTIONS', '*', OPEN, {
  names: 'nothing',
  outcomes: { nothing: 204 },
});

/** The interface, section 4, and contract sections 1 to 4, 6, 7, 9 and 10: one row per route. */
export const API_ROWS: readonly AccessRow[] = [
  ...rows('GET HEAD', '/health', OPEN),
  ...rows('GET HEAD', '/health/live', OPEN),
  ...rows('GET HEAD', '/health/ready', OPEN),
  ...rows('GET HEAD', '/.well-known/jwks.json', OPEN),

  // Refused for their bodies: these hash a password, which takes longer than all other cells.
  ...rows('POST', '/auth/signup/basic', KEY, UNFIT_BODY, { body: {}, writes: [] }),
  ...rows('POST', '/auth/signin/basic', KEY, UNFIT_BODY, { body: {}, writes: [] }),
  ...rows('POST', '/auth/refresh', EXPIRED_TOKEN, NOTHING, refreshing('refresh_token')),
  ...rows('POST', '/auth/token/refresh', EXPIRED_TOKEN, NOTHING, refreshing('refreshToken')),
  ...rows('DELETE POST', '/auth/signout', TOKEN, NOTHING, { writes: ['sessions'] }),
  ...rows('GET HEAD', '/auth/verify/apikey', KEY),
  ...rows('PUT', '/auth/password', TOKEN, UNFIT_BODY, { body: {}, writes: [] }),
  ...rows('GET HEAD', '/auth/sessions', TOKEN),
  ...rows('DELETE', '/auth/sessions', TOKEN, NOTHING, { writes: ['sessions'] }),
  ...rows('DELETE', '/auth/sessions/id/:id', TOKEN, OF_OWN_SESSIONS, { writes: ['sessions'] }),

  ...rows('GET HEAD', '/profile/mine', TOKEN),
  ...rows('PUT', '/profile/mine', TOKEN, NOTHING, { body: { name: 'Renamed' }, writes: ['users'] }),
  ...rows('DELETE', '/profile/mine', TOKEN, NOTHING, {
    body: { password: PASSWORD },
    writes: ['blogs', 'deleted_accounts', 'sessions', ...WRITES_ACCOUNT],
  }),
  ...rows('GET HEAD', '/profile/id/:id', TOKEN, OF_USERS),
  ...rows('POST', '/contact', KEY, NOTHING, {
    body: { type: 'feedback', msg: 'Good morning' },
    writes: ['messages'],
  }),

  ...rows('POST', '/blog/author', AUTHOR, NOTHING, {
    body: { title: TITLE, description: TITLE, draftText: TITLE },
    writes: ['blogs'],
  }),
  ...rows(
    'PUT',
    '/blog/author',
    AUTHOR,
    // The id is a field of the body here.
    { names: 'blog', outcomes: { ...ofStates('edit', 'never'), unknown: 404, malformed: 422 } },
    { body: { _id: ':id', title: TITLE }, writes: ['blogs'] },
  ),
  ...rows('GET HEAD', '/blog/author/id/:id', AUTHOR, ownBlogs('read')),
  ...rows('PUT', '/blog/author/id/:id', AUTHOR, ownBlogs('edit'), {
    body: { title: TITLE },
    writes: ['blogs'],
  }),
  ...rows('DELETE', '/blog/author/id/:id', AUTHOR, ownBlogs('delete'), WRITES_BLOG),
  ...rows('PUT', '/blog/author/submit/:id', AUTHOR, ownBlogs('submit'), WRITES_BLOG),
  ...rows('PUT', '/blog/author/submit/id/:id', AUTHOR, ownBlogs('submit'), WRITES_BLOG),
  ...rows('PUT', '/blog/author/withdraw/:id', AUTHOR, ownBlogs('withdraw'), WRITES_BLOG),
  ...rows('PUT', '/blog/author/withdraw/id/:id', AUTHOR, ownBlogs('withdraw'), WRITES_BLOG),
  ...rows('PUT', '/blog/author/discard/:id', AUTHOR, ownBlogs('discard'), WRITES_BLOG),
  ...rows('GET HEAD', '/blog/author/history/id/:id', AUTHOR, ownBlogs('read')),
  ...rows('GET HEAD', '/blog/author/drafts', AUTHOR),
  ...rows('GET HEAD', '/blog/author/submitted', AUTHOR),
  ...rows('GET HEAD', '/blog/author/published', AUTHOR),

  ...rows('GET HEAD', '/blog/editor/id/:id', EDITOR, allBlogs('editorRead')),
  ...rows('GET HEAD', '/blog/editor/history/id/:id', EDITOR, allBlogs('editorRead')),
  ...rows('GET HEAD', '/blog/editor/submitted', EDITOR),
  ...rows('GET HEAD', '/blog/editor/published', EDITOR),
  ...rows('PUT', '/blog/editor/publish/id/:id', EDITOR, allBlogs('publish'), WRITES_BLOG),
  ...rows('PUT', '/blog/editor/unpublish/id/:id', EDITOR, allBlogs('unpublish'), WRITES_BLOG),

  ...rows('GET HEAD', '/blog/id/:id', KEY, allBlogs('publicRead')),
  ...rows('GET HEAD', '/blog/slug/:slug', KEY, {
    names: 'slug',
    outcomes: { ...ofStates('publicRead', 'publicRead'), unknown: 404 },
  }),
  ...rows('GET HEAD', '/blog/list/latest', KEY),
  ...rows('GET HEAD', '/blogs/latest', KEY),
  ...rows('GET HEAD', '/blogs/tag/:tag', KEY),
  ...rows('GET HEAD', '/blogs/similar/id/:id', KEY, allBlogs('publicRead')),

  ...rows('GET HEAD', '/admin/users', ADMIN),
  ...rows('GET HEAD', '/admin/users/id/:id', ADMIN, OF_USERS),
  ...rows('PUT', '/admin/users/id/:id/roles', ADMIN, OF_USERS, {
    body: { roles: ['LEARNER'] },
    writes: WRITES_ACCOUNT,
  }),
  ...rows('PUT', '/admin/users/id/:id/status', ADMIN, OF_USERS, {
    body: { enabled: false },
    writes: WRITES_ACCOUNT,
  }),
  ...rows('GET HEAD', '/admin/apikeys', ADMIN),
  ...rows('POST', '/admin/apikeys', ADMIN, NOTHING, {
    body: { comment: 'made by the table' },
    writes: ['api_keys'],
  }),
  ...rows('PUT', '/admin/apikeys/id/:id', ADMIN, OF_API_KEYS, {
    body: { comment: 'changed by the table' },
    writes: ['api_keys'],
  }),
  ...rows('DELETE', '/admin/apikeys/id/:id', ADMIN, OF_API_KEYS, { writes: ['api_keys'] }),
  ...rows('GET HEAD', '/admin/messages', ADMIN),
];

function rows(
  methods: string,
  path: string,
  access: Access,
  subject: Subject = NOTHING,
  effect: Effect = READS,
): AccessRow[] {
  return methods.split(' ').map((method) => ({ method, path, ...access, ...subject, ...effect }));
}

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

/** Of an author: what is not theirs does not exist. */
function ownBlogs(what: keyof typeof STATE_TABLE): Subject {
  const outcomes = { ...ofStates(what, 'never'), unknown: 404, malformed: 400 } as const;
  return { names: 'blog', outcomes };
}

/** Of an editor or a reader: it does not matter whose a blog is. */
function allBlogs(what: keyof typeof STATE_TABLE): Subject {
  const outcomes = { ...ofStates(what, what), unknown: 404, malformed: 400 } as const;
  return { names: 'blog', outcomes };
}

function ofStates(own: keyof typeof STATE_TABLE, others: keyof typeof STATE_TABLE): Outcomes {
  const lines = { own, "other's": others, deleted: 'never' } as const;
  const cells = Object.entries(lines).flatMap(([whose, what]) =>
    Object.entries(STATE_TABLE[what]).map(([state, outcome]) => [`${whose} ${state}`, outcome]),
  );
  return Object.fromEntries(cells) as Outcomes;
}

function refreshing(field: string): Effect {
  return { body: { [field]: ':refresh' }, writes: ['sessions'] };
}
