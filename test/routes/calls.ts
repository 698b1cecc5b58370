import type { RoleCode } from '../../src/platform/http/access/role-code.js';
import type { BlogBody } from '../support/blog-fields.js';
import {
  account,
  blogIn,
  person,
  STATES,
  unique,
  unknownId,
  type State,
} from '../support/factories.js';
import { newMedia, publicPicture } from './targets/media-targets.js';
import { newFactor } from './targets/factor-targets.js';
import { newPreview, unknownToken } from '../support/previews.js';
import { openSession } from '../support/sessions.js';
import type { TestApp } from '../support/start-app.js';
import type { Call, Caller, Choices, Fixture, TargetFactory, ParameterKind, Row } from './row.js';

const MAX_SESSIONS = 20;

export async function openFixture(server: TestApp): Promise<Fixture> {
  const people = {
    LEARNER: await person(server),
    AUTHOR: await person(server, 'AUTHOR'),
    EDITOR: await person(server, 'EDITOR'),
    ADMIN: await person(server, 'ADMIN'),
  };
  const userWithMaxSessions = await account(server);
  for (let count = 0; count < MAX_SESSIONS; count++) await openSession(server, userWithMaxSessions);
  const otherAuthor = await person(server, 'AUTHOR');
  return { ...server, people, otherAuthor, editor: people.EDITOR, userWithMaxSessions };
}

export function newBlog(state: State, overrides: Partial<BlogBody> = {}): TargetFactory {
  return async ({ people: { AUTHOR, EDITOR } }) =>
    (await blogIn(state, AUTHOR, EDITOR, overrides))._id;
}

/** A blog that its author has deleted in this state. */
export function newTrashedBlog(state: State): TargetFactory {
  return async (fixture) => {
    const id = await newBlog(state)(fixture);
    await fixture.people.AUTHOR.client.delete(`/blog/author/id/${id}`);
    return id;
  };
}

/** The revision number of the first submission. A new blog has the revision number 1. */
export const SUBMITTED_REV = 2;

/** Makes a target `<blog>/<revision>`: the first submission of a new blog. */
export function newRevision(state: State): TargetFactory {
  return async (fixture) => `${await newBlog(state)(fixture)}/${SUBMITTED_REV}`;
}

const otherAuthorsBlog: TargetFactory = async ({ people: { EDITOR }, otherAuthor }) =>
  (await blogIn('draft', otherAuthor, EDITOR))._id;

const liveBlog = async ({ people: { AUTHOR, EDITOR } }: Fixture): Promise<BlogBody> =>
  (await blogIn('live', AUTHOR, EDITOR)).body;

/** A new author of one live blog. */
export const authorOfOneBlog: TargetFactory = async (fixture) => {
  const author = await person(fixture, 'AUTHOR');
  await blogIn('live', author, fixture.people.EDITOR);
  return author._id;
};

/** Creates the key through the API, so that it is stored as every key is. */
const newApiKey: TargetFactory = async ({ people }) => {
  const { body } = await people.ADMIN.client.post<{ _id: string }>('/admin/apikeys', {});
  return body.data._id;
};

const newToken: TargetFactory = async ({ people }) => {
  const body = { name: 'a token', roles: ['LEARNER'] };
  const answer = await people.LEARNER.client.post<{ _id: string }>('/auth/tokens', body);
  return answer.body.data._id;
};

const newWebhook: TargetFactory = async ({ people }) => {
  const body = { url: 'https://hooks.invalid/hook', events: ['*'] };
  const answer = await people.ADMIN.client.post<{ _id: string }>('/admin/webhooks', body);
  return answer.body.data._id;
};

const newInvitation: TargetFactory = async ({ people }) => {
  const body = { email: `${unique('guest')}@example.org`, roles: ['AUTHOR'] };
  const answer = await people.ADMIN.client.post<{ _id: string }>('/admin/invitations', body);
  return answer.body.data._id;
};

const newJob: TargetFactory = async (fixture) => {
  const from = await authorOfOneBlog(fixture);
  const { client } = fixture.people.ADMIN;
  const path = `/admin/users/id/${from}/blogs/author`;
  return (await client.put<{ _id: string }>(path, { user: fixture.otherAuthor._id })).body.data._id;
};

const newPreviewToken: TargetFactory = async ({ people: { AUTHOR, EDITOR } }) =>
  newPreview(AUTHOR, 'author', (await blogIn('live with draft', AUTHOR, EDITOR))._id);

/** The values for the parameter of a path, by its kind. A request with the first value succeeds. */
const TARGET_FACTORIES: Readonly<
  Record<Exclude<ParameterKind, 'blog' | 'nothing'>, readonly TargetFactory[]>
> = {
  revision: [newRevision('live'), newRevision('draft'), () => `${unknownId()}/${SUBMITTED_REV}`],
  slug: [async (fixture) => (await liveBlog(fixture)).slug, () => 'no-such-slug'],
  tag: [async (fixture) => (await liveBlog(fixture)).tags[0] ?? '', () => 'no such tag'],
  user: [async (fixture) => (await account(fixture))._id, unknownId],
  'api key': [newApiKey, unknownId],
  webhook: [newWebhook, unknownId],
  job: [newJob, unknownId],
  invitation: [newInvitation, unknownId],
  factor: [newFactor, unknownId],
  preview: [newPreviewToken, unknownToken, unknownId],
  token: [newToken, unknownId],
  media: [newMedia, unknownId],
  picture: [publicPicture, unknownId],
  // The learner is the caller of routes that require no role, so the first session is the caller's own.
  session: [async (fixture) => (await openSession(fixture, fixture.people.LEARNER)).sid, unknownId],
};

/** Factories of the targets with which a route is called; none if `parameter` is 'nothing'. */
export function targetsOf({
  parameter = 'nothing',
  outcomes,
  targets,
}: Row): readonly TargetFactory[] {
  if (targets) return targets;
  if (parameter === 'nothing') return [];
  if (parameter !== 'blog') return TARGET_FACTORIES[parameter];
  const served = STATES.filter((state) => outcomes?.[`own ${state}`] === 200);
  const states = [...new Set([...served, ...STATES])];
  return [...states.map((state) => newBlog(state)), otherAuthorsBlog, unknownId];
}

/** A target with which a request succeeds. */
export async function firstTarget(row: Row, fixture: Fixture): Promise<string> {
  return (await targetsOf(row)[0]?.(fixture)) ?? '';
}

/** One value of each field. A function makes the value for a call. */
export type Fields = Readonly<Record<string, unknown>>;

/** Every combination of the choices. A request with the first combination succeeds. */
export function combinations(choices: Choices = {}): [Fields, ...Fields[]] {
  return Object.entries(choices).reduce<Fields[]>(
    (partial, [field, values]) =>
      partial.flatMap((fields) => values.map((value) => ({ ...fields, [field]: value }))),
    [{}],
  ) as [Fields, ...Fields[]];
}

/** The first values of all fields, and each further value together with the first values of all other fields. */
export function variations(choices: Choices = {}): [Fields, ...Fields[]] {
  const [first] = combinations(choices);
  const changed = Object.entries(choices).flatMap(([field, [, ...values]]) =>
    values.map((value) => ({ ...first, [field]: value })),
  );
  return [first, ...changed];
}

/** The variations, and every pair of further values of two fields together with the first values of the others. */
export function pairs(choices: Choices = {}): [Fields, ...Fields[]] {
  const [first, ...others] = variations(choices);
  const changed = others.flatMap((one, index) =>
    others.slice(index + 1).map((other) => {
      const isChanged = ([field, value]: [string, unknown]): boolean => value !== first[field];
      return { ...one, ...Object.fromEntries(Object.entries(other).filter(isChanged)) };
    }),
  );
  return [first, ...others, ...changed];
}

/** The fields for a call: functions are replaced by their results, and undefined values are left out. */
export function resolve(fields: Fields, call: Call): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields)
      .map(([field, value]) => [
        field,
        typeof value === 'function' ? (value as (call: Call) => unknown)(call) : value,
      ])
      .filter(([, value]) => value !== undefined),
  ) as Record<string, unknown>;
}

/** The body of a request that succeeds. */
export function validBody({ body }: Pick<Row, 'body'>, call: Call): Record<string, unknown> {
  return resolve(combinations(body)[0], call);
}

/** The query of a request that succeeds, with its question mark; empty if it needs none. */
export function validQuery({ query }: Pick<Row, 'query'>, call: Call): string {
  const text = new URLSearchParams(resolve(combinations(query)[0], call) as Record<string, string>);
  return text.size === 0 ? '' : `?${text.toString()}`;
}

/**
 * A caller with `otherRole`. Without it, a caller with the role of the route, or null if the route takes no token.
 * With `needsNewCaller` in the row, the caller has a new account and session.
 */
export async function callerOf(
  fixture: Fixture,
  { access: { roles, token }, needsNewCaller, endsOtherSession }: Row,
  otherRole?: RoleCode,
): Promise<Caller | null> {
  if (token === 'none' && otherRole === undefined) return null;
  const heldRole = otherRole ?? roles[0] ?? 'LEARNER';
  if (!needsNewCaller) return fixture.people[heldRole];
  const owner = await account(fixture, heldRole);
  if (endsOtherSession) await openSession(fixture, owner);
  return openSession(fixture, owner);
}

/**
 * The path with the target in place of its parameter. In a path with two parameters, a target `a/b` has a
 * value for each, and any other target is the value of both.
 */
export function pathTo({ path }: { readonly path: string }, target: string): string {
  const parameters = path.match(/:\w+/g) ?? [];
  const isPair = parameters.length > 1 && /^[\w-]+\/[\w.-]+$/.test(target);
  const parts = isPair ? target.split('/') : [];
  return path.replace(/:\w+/g, () => encodeURIComponent(parts.shift() ?? target));
}
