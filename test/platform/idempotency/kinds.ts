import { A_PICTURE } from '../../support/media/forms.js';
import { randomUUID } from 'node:crypto';
import type { Answer, Client } from '../../support/client.js';
import { blogBody, blogIn, person, unique, type Person } from '../../support/factories.js';
import type { TestApp } from '../../support/start-app.js';

interface View {
  readonly _id?: string;
  readonly token?: string;
}

export interface People {
  readonly author: Person;
  readonly editor: Person;
  readonly admin: Person;
}

/** One request that creates a record. */
export interface Attempt {
  readonly client: Client;
  readonly path: string;
  readonly body: object;
}

export interface Fixture extends People {
  readonly server: TestApp;
  /** Id of a blog in review, which its author and editors may comment on and preview. */
  readonly blog: string;
}

/** A kind of record that a POST creates. */
export interface Kind {
  readonly route: string;
  readonly collection: string;
  /** Who may create the record; null if an API key is enough. */
  readonly by: keyof People | null;
  /** A new request body, with other values each time. */
  readonly body: () => object;
  /** Whether a second record with the same body is refused. */
  readonly isUnique?: true;
  /** The field that only the answer to the creation shows. */
  readonly secret?: string;
  /** Removes the created record; left out if nobody can remove it. */
  readonly remove?: (client: Client, view: View, path: string) => Promise<Answer<unknown>>;
  /** The reason in the answer to a repetition after the removal. */
  readonly goneReason?: string;
}

const COMMENT = {
  collection: 'blog_comments',
  body: () => ({ text: unique('comment') }),
  remove: (client: Client, { _id }: View, path: string) => client.delete(`${path}/${_id}`),
  goneReason: 'comment_not_found',
} as const;

let hours = 0;

const PREVIEW = {
  collection: 'blog_previews',
  body: () => ({ expiresIn: `${(hours += 1)}h` }),
  secret: 'token',
  remove: (client: Client, _: View, path: string) => client.delete(path),
  goneReason: 'preview_not_found',
} as const;

export const KINDS: readonly Kind[] = [
  {
    route: 'POST /blog/author',
    collection: 'blogs',
    by: 'author',
    body: () => {
      const { slug: _, ...body } = blogBody({ title: 'The same title' });
      return body;
    },
    remove: (client, { _id }) => client.delete(`/blog/author/id/${_id}`),
    goneReason: 'blog_not_found',
  },
  {
    route: 'POST /contact',
    collection: 'messages',
    by: null,
    body: () => ({ type: 'general', msg: unique('message') }),
  },
  { route: 'POST /blog/author/comments/id/:id', by: 'author', ...COMMENT },
  { route: 'POST /blog/editor/comments/id/:id', by: 'editor', ...COMMENT },
  { route: 'POST /blog/author/preview/id/:id', by: 'author', ...PREVIEW },
  { route: 'POST /blog/editor/preview/id/:id', by: 'editor', ...PREVIEW },
  {
    route: 'POST /admin/apikeys',
    collection: 'api_keys',
    by: 'admin',
    body: () => ({ comment: unique('key') }),
    secret: 'key',
    remove: (client, { _id }) => client.delete(`/admin/apikeys/id/${_id}`),
    goneReason: 'api_key_not_found',
  },
  {
    route: 'POST /media',
    collection: 'media',
    by: 'author',
    body: () => ({ file: A_PICTURE, alt: unique('alt') }),
    remove: (client, { _id }) => client.delete(`/media/id/${_id}`),
    goneReason: 'media_not_found',
  },
  {
    route: 'POST /auth/tokens',
    collection: 'access_tokens',
    by: 'author',
    body: () => ({ name: unique('token'), roles: ['AUTHOR'] }),
    secret: 'token',
    remove: (client, { _id }) => client.delete(`/auth/tokens/id/${_id}`),
    goneReason: 'token_not_found',
  },
  {
    route: 'POST /admin/invitations',
    collection: 'invitations',
    by: 'admin',
    body: () => ({ email: `${unique('guest')}@example.org`, roles: ['AUTHOR'] }),
    isUnique: true,
    remove: (client, { _id }) => client.delete(`/admin/invitations/id/${_id}`),
    goneReason: 'invitation_not_found',
  },
  {
    route: 'POST /admin/webhooks',
    collection: 'webhooks',
    by: 'admin',
    body: () => ({ url: `https://hooks.invalid/${unique('hook')}`, events: ['*'] }),
    secret: 'secret',
    remove: (client, { _id }) => client.delete(`/admin/webhooks/id/${_id}`),
    goneReason: 'webhook_not_found',
  },
];

export async function openFixture(server: TestApp): Promise<Fixture> {
  const author = await person(server, 'AUTHOR');
  const editor = await person(server, 'EDITOR');
  const admin = await person(server, 'ADMIN');
  const { _id: blog } = await blogIn('in review', author, editor);
  return { server, author, editor, admin, blog };
}

/** The fixture with another caller for this kind. Another author gets another blog in review. */
export async function otherCaller(fixture: Fixture, { by }: Kind): Promise<Fixture> {
  const { server } = fixture;
  if (by === 'editor') return { ...fixture, editor: await person(server, 'EDITOR') };
  if (by === 'admin') return { ...fixture, admin: await person(server, 'ADMIN') };
  return openFixture(server);
}

export function newAttempt(fixture: Fixture, { route, by, body }: Kind): Attempt {
  const client = by ? fixture[by].client : fixture.server.client;
  const path = route.replace('POST ', '').replace(':id', fixture.blog);
  return { client, path, body: body() };
}

export const newKey = (): string => randomUUID();

export function send({ client, path, body }: Attempt, key: string): Promise<Answer<View>> {
  return client.post<View>(path, body, { headers: { 'idempotency-key': key } });
}

export function kindOf(route: string): Kind {
  const found = KINDS.find((kind) => kind.route === route);
  if (!found) throw new Error(`${route} creates nothing`);
  return found;
}
