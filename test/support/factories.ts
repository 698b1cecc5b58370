import { randomBytes } from 'node:crypto';
import { Types, type mongo } from 'mongoose';
import type { RoleCode } from '../../src/platform/http/access/role-code.js';
import { PATH_TO_STATE } from '../../src/cli/setup/demo/path-to-state.js';
import { markedBody, type BlogBody } from './blog-fields.js';
import type { Client } from './client.js';
import { openSession } from './sessions.js';

export const PASSWORD = 'correct horse battery';

/** bcrypt hash of PASSWORD at TEST_COST of start-app.ts, at which every server of the tests hashes. */
const PASSWORD_HASH = '$2b$05$Af1aMTSezDNgEARGWlfJm.xjvRLNhN8jT8VbdGVGdffQjjJcSvGoS';

export interface Person {
  readonly _id: string;
  readonly email: string;
  readonly name: string;
  /** Carries the API key and the person's access token. */
  readonly client: Client;
  readonly accessToken: string;
  readonly refreshToken: string;
}

interface SignedIn {
  readonly user: { readonly _id: string };
  readonly tokens: { readonly accessToken: string; readonly refreshToken: string };
}

let counter = 0;

/** A short text that occurs nowhere else. */
export function unique(prefix: string): string {
  counter += 1;
  return `${prefix}-${counter}-${randomBytes(3).toString('hex')}`;
}

/** Stores an account with LEARNER, these roles and PASSWORD, without a session. */
export async function account(
  { db }: { readonly db: mongo.Db },
  ...roles: readonly RoleCode[]
): Promise<Pick<Person, '_id' | 'email' | 'name'>> {
  const name = unique('Person');
  const email = `${name.toLowerCase()}@example.org`;
  const roleRecords = await db
    .collection('roles')
    .find({ code: { $in: ['LEARNER', ...roles] } })
    .toArray();
  const now = new Date();
  const { insertedId } = await db.collection('users').insertOne({
    email,
    name,
    password: PASSWORD_HASH,
    roles: roleRecords.map(({ _id }) => _id),
    verified: false,
    status: true,
    epoch: 0,
    createdAt: now,
    updatedAt: now,
  });
  return { _id: insertedId.toHexString(), email, name };
}

/** Stores an account like `account`, and opens a session without hashing a password. */
export async function person(
  server: Parameters<typeof openSession>[0] & { readonly db: mongo.Db },
  ...roles: readonly RoleCode[]
): Promise<Person> {
  const someone = await account(server, ...roles);
  const { client, accessToken, refreshToken } = await openSession(server, someone);
  return { ...someone, client, accessToken, refreshToken };
}

/** Signs in to an existing account. */
export async function signIn(
  client: Client,
  email: string,
  password = PASSWORD,
): Promise<Pick<Person, '_id' | 'client' | 'accessToken' | 'refreshToken'>> {
  const { status, body } = await client.post<SignedIn>('/auth/signin/basic', { email, password });
  if (status !== 200) throw new Error(`${email} cannot sign in: ${body.message}`);
  const { user, tokens } = body.data;
  return { _id: user._id, client: client.as(tokens.accessToken), ...tokens };
}

/** A valid body with every field. Its values occur nowhere else. */
export function blogBody(overrides: Partial<BlogBody> = {}): BlogBody {
  return { ...markedBody(unique('blog')), ...overrides };
}

export const STATES = ['draft', 'in review', 'live', 'live with draft', 'live in review'] as const;
export type State = (typeof STATES)[number];

export interface BlogInState {
  readonly _id: string;
  /** The fields of the created blog, which are live in the live states. */
  readonly body: BlogBody;
  /** The edit of the states "live with draft" and "live in review", which changes every field. */
  readonly pending: BlogBody;
}

/** Creates a blog of this author, and brings it into a state through the API. */
export async function blogIn(
  state: State,
  author: Pick<Person, 'client'>,
  editor: Pick<Person, 'client'>,
  overrides: Partial<BlogBody> & { readonly cover?: object } = {},
): Promise<BlogInState> {
  const body = { ...blogBody(), ...overrides };
  const pending = blogBody();
  const created = await author.client.post<{ _id: string }>('/blog/author', body);
  if (created.status !== 200) throw new Error(`creation: ${created.body.message}`);
  const { _id } = created.body.data;
  const transitions = {
    submit: () => author.client.put(`/blog/author/submit/${_id}`),
    publish: () => editor.client.put(`/blog/editor/publish/id/${_id}`),
    edit: () => author.client.put(`/blog/author/id/${_id}`, pending),
  };
  for (const transition of PATH_TO_STATE[state]) {
    const { status, body: answer } = await transitions[transition]();
    if (status !== 200) throw new Error(`${transition} towards ${state}: ${answer.message}`);
  }
  return { _id, body, pending };
}

/** A valid id that no record has. */
export function unknownId(): string {
  return new Types.ObjectId().toHexString();
}
