import { randomUUID } from 'node:crypto';
import { CREDENTIALS, type Call, type CallOptions, type OwnServer } from '../support/own-server.ts';

/** Number of blogs that each author gets in each state. */
const BLOGS_PER_STATE = 4;
/** Number of spare users, and of spare API keys. */
const SPARE_COUNT = 6;

type Step = 'submit' | 'publish' | 'edit';

/** The identities that send requests, with their roles. `key only` has no account. */
export const IDENTITIES = {
  'key only': [],
  LEARNER: ['LEARNER'],
  AUTHOR: ['AUTHOR'],
  EDITOR: ['EDITOR'],
  ADMIN: ['ADMIN'],
  'all roles': ['LEARNER', 'AUTHOR', 'EDITOR', 'ADMIN'],
} as const;

export type IdentityName = keyof typeof IDENTITIES;

interface Person {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly token: string;
}

interface Identified {
  readonly _id: string;
}

interface Blog extends Identified {
  readonly slug: string;
}

interface SignedIn {
  readonly user: Identified;
  readonly tokens: { readonly accessToken: string };
}

export interface TestData {
  /** The user of each identity; null for `key only`. */
  readonly people: Readonly<Record<IdentityName, Person | null>>;
  /** Existing values for parameters, by the name of their dictionary in schemathesis.toml. */
  readonly knownValues: Readonly<Record<string, readonly string[]>>;
  /** Ids of accounts and keys that requests may change or delete. */
  readonly spare: { readonly users: readonly string[]; readonly keys: readonly string[] };
  /** Ids of the accounts and keys that the run itself needs. */
  readonly needed: readonly string[];
}

/** Fills a new server through its API: users, API keys, blogs in every state with previews, contact messages. */
export async function seedTestData({ call }: Pick<OwnServer, 'call'>): Promise<TestData> {
  const firstAdmin = await call<SignedIn>('POST', '/auth/signin/basic', { body: CREDENTIALS });
  const adminToken = firstAdmin.tokens.accessToken;
  const keys = await call<Identified[]>('GET', '/admin/apikeys', { token: adminToken });

  const newPersonOf = (name: IdentityName): Promise<Person> =>
    newPerson(call, adminToken, IDENTITIES[name]);
  const author = await newPersonOf('AUTHOR');
  const allRoles = await newPersonOf('all roles');
  const people = {
    'key only': null,
    LEARNER: await newPersonOf('LEARNER'),
    AUTHOR: author,
    EDITOR: await newPersonOf('EDITOR'),
    ADMIN: await newPersonOf('ADMIN'),
    'all roles': allRoles,
  };
  const spareUsers: Person[] = [];
  const spareKeys: Identified[] = [];
  for (let count = 0; count < SPARE_COUNT; count += 1) {
    spareUsers.push(await newPersonOf('LEARNER'));
    const body = { comment: `spare ${count}` };
    spareKeys.push(await call('POST', '/admin/apikeys', { token: adminToken, body }));
  }
  const blogs: Blog[] = [];
  const previews: string[] = [];
  for (const { token } of [author, allRoles]) {
    const written = await writeBlogs(call, token, allRoles.token);
    blogs.push(...written);
    previews.push(...(await makePreviews(call, token, written)));
  }
  for (const type of ['question', 'praise']) {
    await call('POST', '/contact', { body: { type, msg: `A ${type} for the operators.` } });
  }
  const participants = Object.values(people).filter((person) => person !== null);
  const spare = { users: spareUsers.map(({ id }) => id), keys: spareKeys.map(({ _id }) => _id) };
  return {
    people,
    knownValues: {
      blogs: blogs.map(({ _id }) => _id),
      slugs: blogs.map(({ slug }) => slug),
      previews,
      tags: ['fuzz', 'Seeded Tag', '%'],
      users: [...participants.map(({ id }) => id), ...spare.users],
      keys: spare.keys,
    },
    spare,
    needed: [
      firstAdmin.user._id,
      ...keys.map(({ _id }) => _id),
      ...participants.map(({ id }) => id),
    ],
  };
}

async function newPerson(
  call: Call,
  adminToken: string,
  roles: readonly string[],
): Promise<Person> {
  const email = `${randomUUID()}@fuzz.example`;
  const password = 'password of the fuzz run';
  const name = roles.join(' and ');
  const { user, tokens } = await call<SignedIn>('POST', '/auth/signup/basic', {
    body: { email, password, name },
  });
  const id = user._id;
  await call('PUT', `/admin/users/id/${id}/roles`, { token: adminToken, body: { roles } });
  return { id, email, password, token: tokens.accessToken };
}

async function writeBlogs(call: Call, authorToken: string, editorToken: string): Promise<Blog[]> {
  const paths = await pathsToState();
  const blogs: Blog[] = [];
  for (const [state, path] of Object.entries(paths)) {
    for (let count = 0; count < BLOGS_PER_STATE; count += 1) {
      const body = draft(state);
      const created = await call<Blog>('POST', '/blog/author', { token: authorToken, body });
      const id = created._id;
      const requests: Record<Step, [string, CallOptions]> = {
        submit: [`/blog/author/submit/${id}`, { token: authorToken }],
        publish: [`/blog/editor/publish/id/${id}`, { token: editorToken }],
        edit: [`/blog/author/id/${id}`, { token: authorToken, body: { title: 'Edited title' } }],
      };
      for (const step of path) await call('PUT', ...requests[step]);
      blogs.push(created);
    }
  }
  return blogs;
}

/** @returns the tokens of the previews */
async function makePreviews(
  call: Call,
  authorToken: string,
  blogs: readonly Blog[],
): Promise<string[]> {
  const tokens: string[] = [];
  for (const { _id } of blogs) {
    const path = `/blog/author/preview/id/${_id}`;
    const { token } = await call<{ readonly token: string }>('POST', path, { token: authorToken });
    tokens.push(token);
  }
  return tokens;
}

/**
 * Imports the server's own table of the transitions that lead to each state. It is imported late, because the run
 * builds `dist` first.
 */
async function pathsToState(): Promise<Readonly<Record<string, readonly Step[]>>> {
  const { href } = new URL('../../build/cli/setup/demo/path-to-state.js', import.meta.url);
  return ((await import(href)) as { PATH_TO_STATE: Record<string, Step[]> }).PATH_TO_STATE;
}

function draft(state: string): object {
  return {
    title: `A blog that is ${state}`,
    description: 'Written by the fuzz run, to be read, moved and deleted.',
    draftText: '<p>Some <em>text</em>.</p>',
    tags: ['fuzz', 'Seeded Tag'],
  };
}
