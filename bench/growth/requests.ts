import { randomUUID } from 'node:crypto';
import { API_KEY, AUTHOR_ACCOUNTS, PASSWORD } from '../data/people.ts';
import { SHARED_TAG, type Leaver } from './fill.ts';
import { TIMES, type Caller, type Newsroom, type State } from './newsroom.ts';
import type { Operation, OptionValues } from './operations.ts';
import { newPicture, pictureForm } from './pictures.ts';

export interface Request {
  readonly url: string;
  readonly init: RequestInit;
}

/** Pictures are asked for as readers do: as covers of live articles. */
const PICTURE_PATH = '/media/{id}/{file}';

const WEEK_MS = 604_800_000;

/** Number of the page of a list that counts as deep. */
const DEEP = 900;

/** The values with which optional query parameters are measured; none for those whose answers are only longer. */
export const OPTION_VALUES: OptionValues = {
  page: [DEEP],
  limit: [],
  total: [true],
  cursor: ['next'],
  tag: [SHARED_TAG],
  author: [AUTHOR_ACCOUNTS[0]?.id],
  from: ['2020-01-01T00:00:00Z'],
  to: ['2020-01-01T00:00:00Z'],
  prefix: ['tag'],
  assigned: ['me', 'none'],
  email: [AUTHOR_ACCOUNTS[0]?.email],
  after: [0],
  kind: ['key.created'],
  unread: ['true'],
  seconds: [],
  until: [],
  preview: [],
  signature: [],
  end: [],
};

/** What a request is made of. Each part is made when the request needs it. */
interface Parts {
  readonly newsroom: Newsroom;
  readonly operation: Operation;
  readonly caller: Caller | null;
  /** An article in the state in which the operation succeeds. */
  readonly blog: () => Promise<{ readonly _id: string; readonly slug: string }>;
  /** An account that no other request has used. */
  readonly leaver: () => Leaver;
}

type Make = (parts: Parts) => unknown;

/** Makes the values of required parameters, by their kind. */
const PARAMETERS: Readonly<Record<string, Make>> = {
  BlogId: async ({ blog }) => (await blog())._id,
  slug: async ({ blog }) => (await blog()).slug,
  UserId: ({ leaver }) => leaver().id,
  AuthorId: () => AUTHOR_ACCOUNTS[0]?.id,
  tag: () => SHARED_TAG,
  Rev: () => 2,
  from: () => 2,
  to: () => 2,
  'If-Match': () => Array.from({ length: 9 }, (_, rev) => `"${rev}"`).join(', '),
  APIKeyId: created('/admin/apikeys', {}),
  WebhookId: created('/admin/webhooks', { url: 'https://hooks.invalid/hook', events: ['*'] }),
  async CommentId({ newsroom, operation, blog, caller }) {
    const path = operation.path.replace('{id}/{comment}', (await blog())._id);
    const options = { token: caller?.token, body: { text: 'Which engine?' } };
    return (await newsroom.call<{ _id: string }>('POST', path, options))._id;
  },
  async token({ newsroom, blog }) {
    const path = `/blog/author/preview/id/${(await blog())._id}`;
    const { token } = newsroom.author;
    return (await newsroom.call<{ token: string }>('POST', path, { token })).token;
  },
  InvitationId: (parts) =>
    created('/admin/invitations', { email: newAddress(), roles: ['AUTHOR'] })(parts),
  PictureId: async ({ newsroom, caller }) =>
    (await newPicture(newsroom.server.url, caller?.token)).id,
  async id({ newsroom, operation, caller, leaver }) {
    if (operation.path.startsWith('/auth/tokens/')) {
      const options = { token: caller?.token, body: { name: 'bench', roles: [] } };
      return (await newsroom.call<{ _id: string }>('POST', '/auth/tokens', options))._id;
    }
    if (operation.path.startsWith('/admin/jobs/')) {
      const [token, body] = [newsroom.editor.token, { user: newsroom.author.id }];
      const path = `/admin/users/id/${leaver().id}/blogs/author`;
      return (await newsroom.call<{ _id: string }>('PUT', path, { token, body }))._id;
    }
    const sessions = await newsroom.call<{ _id: string }[]>('GET', '/auth/sessions', {
      token: caller?.token,
    });
    return sessions[0]?._id;
  },
};

/** Makes the values of fields of a body for which the example of the description is not valid; undefined for none. */
const FIELDS: Readonly<Record<string, Make>> = {
  _id: async ({ blog }) => (await blog())._id,
  slug: () => `notes-${randomUUID()}`,
  tags: () => [SHARED_TAG],
  draftMarkdown: () => undefined,
  cover: async ({ newsroom: { server }, caller }) => ({
    media: (await newPicture(server.url, caller?.token)).id,
  }),
  media: async ({ newsroom: { server }, caller }) =>
    (await newPicture(server.url, caller?.token)).id,
  mentions: () => undefined,
  email: ({ operation, leaver }) =>
    /signup|admin|auth\/email/.test(operation.path) ? newAddress() : leaver().email,
  expiresAt: () => new Date(Date.now() + WEEK_MS).toISOString(),
  code: () => undefined,
  roles: ({ operation }) => (operation.path === '/auth/tokens' ? [] : operation.body?.['roles']),
  password: () => PASSWORD,
  currentPassword: () => PASSWORD,
  newPassword: () => `new ${PASSWORD}`,
  refresh_token: ({ caller }) => caller?.refreshToken,
  user: ({ newsroom }) => newsroom.editor.id,
  editor: ({ newsroom }) => newsroom.editor.id,
  replyTo: () => undefined,
  url: () => 'https://hooks.invalid/hook',
  publishAt: () => TIMES().publishAt,
  unpublishAt: () => TIMES().unpublishAt,
  event: () => undefined,
};

/** Makes the parts of new requests in this state of an article. */
export async function partsOf(
  newsroom: Newsroom,
  operation: Operation,
  state: State,
): Promise<Parts> {
  const once = <Value>(make: () => Value) => {
    let made: Value | null = null;
    return () => (made ??= make());
  };
  const leaver = once(() => newsroom.leaver());
  const blog = once(() => newsroom.blog(state));
  return { newsroom, operation, leaver, blog, caller: await callerOf(newsroom, operation, leaver) };
}

/** An operation of every user may end the session of its caller, unless it reads. */
async function callerOf(
  newsroom: Newsroom,
  { needsToken, role, method, path }: Operation,
  leaver: Parts['leaver'],
): Promise<Caller | null> {
  if (!needsToken) return null;
  if (role !== null) return role === 'AUTHOR' ? newsroom.author : newsroom.editor;
  const mayEndSession =
    method !== 'GET' && (!path.includes('{id}') || /sessions|tokens/.test(path));
  return mayEndSession ? newsroom.signIn(leaver().email) : newsroom.author;
}

/** @returns null for a list that has no next page @throws Error for a parameter whose values are not known */
export async function requestOf(parts: Parts): Promise<Request | null> {
  const { newsroom, operation, caller } = parts;
  const headers: Record<string, string> = { 'x-api-key': API_KEY };
  if (caller) headers['authorization'] = `Bearer ${caller.token}`;
  let { path } = operation;
  if (path === PICTURE_PATH) {
    await parts.blog();
    return { url: newsroom.server.url + newsroom.cover.path, init: { headers } };
  }
  const query = new URLSearchParams();
  for (const { kind, name, in: place, required, schema } of operation.parameters) {
    if (!required) continue;
    const value = String(await (PARAMETERS[kind] ?? (() => schema.example))(parts));
    if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (place === 'query') query.set(name, value);
    else headers[name] = value;
  }
  const { option } = operation;
  const url = () =>
    `${newsroom.server.url}${path}${query.size === 0 ? '' : `?${query.toString()}`}`;
  if (option?.value === 'next') {
    const { headers: answered } = await fetch(url(), { headers });
    const next = /[?&](cursor=[^&>]+)[^>]*>; rel="next"/.exec(answered.get('link') ?? '')?.[1];
    if (next === undefined) return null;
    new URLSearchParams(next).forEach((value, name) => query.set(name, value));
  } else if (option) {
    query.set(option.parameter.name, String(option.value));
  }
  const init: RequestInit = { method: operation.method, headers };
  if (operation.path === '/media' && operation.method === 'POST') {
    init.body = pictureForm();
  } else if (operation.body) {
    const fields = Object.keys(operation.body).map(async (name) => [
      name,
      await (FIELDS[name] ?? (() => operation.body?.[name]))(parts),
    ]);
    headers['content-type'] = 'application/json';
    init.body = JSON.stringify(
      Object.fromEntries((await Promise.all(fields)) as [string, unknown][]),
    );
  }
  return { url: url(), init };
}

const newAddress = (): string => `${randomUUID()}@bench.example`;

/** Makes a record by this request of an ADMIN. */
function created(path: string, body: object): Make {
  return async ({ newsroom: { call, editor } }) =>
    (await call<{ _id: string }>('POST', path, { token: editor.token, body }))._id;
}
