import { randomBytes } from 'node:crypto';
import type { Data, Options, PressroomClient } from '../../client/src/index.ts';
import type { Run } from './client.ts';
import type { Credentials } from './credentials.ts';

/** A run that writes. Its id is appended to the names of its users, and to slugs that would be taken otherwise. */
export interface WritingRun extends Run {
  readonly id: string;
}

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly name: string;
  /** The client with the session of this user. */
  readonly session: PressroomClient;
}

export interface People {
  readonly author: Person;
  readonly editor: Person;
  readonly reader: Person;
  /** The client of the first admin. */
  readonly admin: PressroomClient;
}

type Role = Options<'PUT', '/admin/users/id/{id}/roles'>['body']['roles'][number];

type User = Pick<Data<'GET', '/profile/mine'>, 'roles'>;

/**
 * Signs up an author, an editor and a reader. The admin gives the first two their roles, which apply
 * from the next request on, without new tokens.
 */
export async function signUpPeople(
  run: WritingRun,
  { adminEmail, adminPassword }: Credentials,
): Promise<People> {
  const { client, recorder } = run;
  const admin = await signIn(run, { email: adminEmail, password: adminPassword });
  const author = await signUp(run, 'Author');
  const editor = await signUp(run, 'Editor');
  const reader = await signUp(run, 'Reader');

  const expectDenied = { as: author.session, expect: 403 };
  await client.call('call without the role (403)', 'GET', '/blog/author/drafts', expectDenied);
  await client.call('call without the role (403)', 'GET', '/admin/users', expectDenied);
  await giveRoles(run, admin, author, ['LEARNER', 'AUTHOR']);
  await giveRoles(run, admin, editor, ['LEARNER', 'EDITOR']);
  await client.call('call without the role (403)', 'GET', '/blog/editor/submitted', expectDenied);

  const { data } = await client.call('own profile', 'GET', '/profile/mine', {
    as: author.session,
  });
  const codes = codesOf(data);
  recorder.check('own profile', codes === 'LEARNER,AUTHOR', `the author's roles are ${codes}`);
  return { author, editor, reader, admin };
}

/** @returns a client that is signed in */
export async function signIn(
  { client }: Run,
  body: { readonly email: string; readonly password: string },
): Promise<PressroomClient> {
  const session = client.newClient();
  await client.signIn('sign in', () => session.signIn(body));
  return session;
}

export async function signUp({ client, recorder, id }: WritingRun, role: string): Promise<Person> {
  const email = `${role.toLowerCase()}-${id}@journey.example`;
  const password = randomBytes(12).toString('base64url');
  const name = `${role} ${id}`;
  const session = client.newClient();
  const user = await client.signIn('sign up', () => session.signUp({ email, password, name }));
  const codes = codesOf(user);
  recorder.check('sign up', user.email === email && user.name === name, `got ${user.email}`);
  recorder.check('sign up', codes === 'LEARNER', `a new user has the roles ${codes}`);
  return { id: user._id, email, password, name, session };
}

export async function giveRoles(
  { client, recorder }: Run,
  admin: PressroomClient,
  person: Person,
  roles: readonly Role[],
): Promise<void> {
  const step = 'give roles';
  const { data } = await client.call(step, 'PUT', '/admin/users/id/{id}/roles', {
    as: admin,
    path: { id: person.id },
    body: { roles },
  });
  const codes = codesOf(data);
  recorder.check(step, codes === roles.join(), `${person.email} has ${codes}`);
}

function codesOf({ roles }: User): string {
  return roles.map(({ code }) => code).join();
}
