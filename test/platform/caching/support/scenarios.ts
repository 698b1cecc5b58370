import type { INestApplicationContext } from '@nestjs/common';
import { Types, type mongo } from 'mongoose';
import type { RoleCode } from '../../../../src/platform/http/access/role-code.js';
import { HtmlCleaner } from '../../../../src/blog/core/html/html-cleaner.js';
import { BLOG_READS, type BlogRead } from '../../../routes/reads.js';
import type { Client } from '../../../support/client.js';
import { account, blogIn, unique } from '../../../support/factories.js';
import { openSession } from '../../../support/sessions.js';
import { holdNextCall, holdNextRead, type HeldRead } from './barriers.js';
import { TAKE_DOWN, type Fixture } from './fixture.js';
import { ABSENT, titleInList, titleOfArticle } from './titles.js';

/** A value that is cached, and a write after which the cache must not serve it. */
export interface Scenario {
  /** @param client of the server to read from, with an API key */
  read(client: Client): Promise<string>;
  /** Changes the value through the API of the fixture's server. */
  write(): Promise<void>;
  /** Changes the value by a direct edit of the database. */
  edit(): Promise<void>;
  readonly before: string;
  readonly after: string;
  /** Holds the next read of the database for the cached value. */
  holdRead(app: INestApplicationContext): HeldRead;
}

export type ScenarioFactory = (server: Fixture) => Promise<Scenario>;

const NEW_TITLE = 'New title';
const NEW_NAME = 'New name';
const CACHED_READS = BLOG_READS.filter(({ isCached }) => isCached);

const BLOG_WRITES = {
  'is unpublished': {
    after: ABSENT,
    write: ({ editor }: Fixture, id: string) =>
      editor.client.put(`/blog/editor/unpublish/id/${id}`),
    edit: TAKE_DOWN,
  },
  'is deleted': {
    after: ABSENT,
    write: ({ author }: Fixture, id: string) => author.client.delete(`/blog/author/id/${id}`),
    edit: null,
  },
  'is published in a new revision': {
    after: NEW_TITLE,
    write: ({ editor }: Fixture, id: string) => editor.client.put(`/blog/editor/publish/id/${id}`),
    edit: { $set: { 'live.title': NEW_TITLE } },
  },
} as const;

/** Uses a live blog with a new title in review, so that every write of BLOG_WRITES is allowed. */
function blogScenario(
  { isList, pathTo }: BlogRead,
  { after, write, edit }: (typeof BLOG_WRITES)[keyof typeof BLOG_WRITES],
): ScenarioFactory {
  return async (server) => {
    const { author, editor, db } = server;
    const tags = [unique('tag')];
    const similarBlog = await blogIn('live', author, editor, { tags });
    const blog = await blogIn('live', author, editor, { tags });
    await author.client.put(`/blog/author/id/${blog._id}`, { title: NEW_TITLE });
    await author.client.put(`/blog/author/submit/${blog._id}`);
    const path = pathTo({ ...blog, author, similarBlog });
    return {
      before: blog.body.title,
      after,
      read: (client) =>
        isList ? titleInList(client, path, blog._id) : titleOfArticle(client, path),
      write: () => succeed(write(server, blog._id)),
      edit: () => change(db, 'blogs', blog._id, edit),
      holdRead: holdNextRead,
    };
  };
}

/** For reads of single articles, which show the author's name: lists do not. */
function authorScenario({ pathTo }: BlogRead): ScenarioFactory {
  return async (server) => {
    const author = await signedIn(server, 'AUTHOR');
    const blog = await blogIn('live', author, server.editor);
    const path = pathTo({ ...blog, author, similarBlog: blog });
    return {
      before: author.name,
      after: NEW_NAME,
      read: async (client) => (await client.get(path)).body.data.author.name,
      write: () => succeed(author.client.put('/profile/mine', { name: NEW_NAME })),
      edit: () => change(server.db, 'users', author._id, { $set: { name: NEW_NAME } }),
      // `servedText` runs after the blog and the name were read.
      holdRead: (app) => holdNextCall(app.get(HtmlCleaner), 'servedText'),
    };
  };
}

const profileScenario: ScenarioFactory = async (server) => {
  const ada = await signedIn(server);
  return {
    before: ada.name,
    after: NEW_NAME,
    read: async ({ url }) =>
      (await server.author.client.at(url).get(`/profile/id/${ada._id}`)).body.data.name,
    write: () => succeed(ada.client.put('/profile/mine', { name: NEW_NAME })),
    edit: () => change(server.db, 'users', ada._id, { $set: { name: NEW_NAME } }),
    holdRead: holdNextRead,
  };
};

interface TestAccount {
  readonly id: string;
  readonly sid: string;
  /** Another session of the same account. */
  readonly otherSession: Client;
}

const ACCOUNT_WRITES = {
  'is signed out': {
    after: '401',
    write: (_: Fixture, { otherSession, sid }: TestAccount) =>
      otherSession.delete(`/auth/sessions/id/${sid}`),
    edit: ({ db }: Fixture, { sid }: TestAccount) => change(db, 'sessions', sid, null),
  },
  'is disabled': {
    after: '401',
    write: ({ editor }: Fixture, { id }: TestAccount) =>
      editor.client.put(`/admin/users/id/${id}/status`, { enabled: false }),
    edit: ({ db }: Fixture, { id }: TestAccount) =>
      change(db, 'users', id, { $set: { status: false } }),
  },
  'loses the role': {
    after: '403',
    write: ({ editor }: Fixture, { id }: TestAccount) =>
      editor.client.put(`/admin/users/id/${id}/roles`, { roles: ['LEARNER'] }),
    edit: ({ db }: Fixture, { id }: TestAccount) =>
      change(db, 'users', id, { $set: { roles: [] } }),
  },
} as const;

function accountScenario({
  after,
  write,
  edit,
}: (typeof ACCOUNT_WRITES)[keyof typeof ACCOUNT_WRITES]): ScenarioFactory {
  return async (server) => {
    const { _id: id } = await account(server, 'AUTHOR');
    const { client, sid } = await openSession(server, { _id: id });
    const { client: otherSession } = await openSession(server, { _id: id });
    const testAccount = { id, sid, otherSession };
    return {
      before: '200',
      after,
      read: async ({ url }) => String((await client.at(url).get('/blog/author/drafts')).status),
      write: () => succeed(write(server, testAccount)),
      edit: () => edit(server, testAccount),
      holdRead: holdNextRead,
    };
  };
}

const KEY_WRITES = {
  'is disabled': {
    write: ({ editor }: Fixture, path: string) => editor.client.put(path, { enabled: false }),
    edit: { $set: { status: false } },
  },
  'is deleted': {
    write: ({ editor }: Fixture, path: string) => editor.client.delete(path),
    edit: null,
  },
} as const;

function keyScenario({
  write,
  edit,
}: (typeof KEY_WRITES)[keyof typeof KEY_WRITES]): ScenarioFactory {
  return async (server) => {
    const { body } = await server.editor.client.post('/admin/apikeys', {});
    const { _id, key } = body.data;
    const headers = { 'x-api-key': String(key) };
    return {
      before: '200',
      after: '403',
      read: async (client) => String((await client.get('/auth/verify/apikey', { headers })).status),
      write: () => succeed(write(server, `/admin/apikeys/id/${String(_id)}`)),
      edit: () => change(server.db, 'api_keys', String(_id), edit),
      holdRead: holdNextRead,
    };
  };
}

type NamedScenario = readonly [string, ScenarioFactory];

/** Every kind of cached value, with every write that changes it. */
export const SCENARIOS: readonly NamedScenario[] = [
  ...Object.entries(BLOG_WRITES).flatMap(([label, write]) =>
    CACHED_READS.map((read): NamedScenario => [
      `a blog, read by ${read.route}, that ${label}`,
      blogScenario(read, write),
    ]),
  ),
  ...CACHED_READS.filter(({ isList }) => !isList).map((read): NamedScenario => [
    `a blog, read by ${read.route}, whose author is renamed`,
    authorScenario(read),
  ]),
  ['a profile that is renamed', profileScenario],
  ...Object.entries(ACCOUNT_WRITES).map(([label, write]): NamedScenario => [
    `an account that ${label}`,
    accountScenario(write),
  ]),
  ...Object.entries(KEY_WRITES).map(([label, write]): NamedScenario => [
    `an API key that ${label}`,
    keyScenario(write),
  ]),
];

async function signedIn(
  server: Fixture,
  ...roles: readonly RoleCode[]
): Promise<{ _id: string; name: string; client: Client }> {
  const { _id, name } = await account(server, ...roles);
  return { _id, name, client: (await openSession(server, { _id })).client };
}

/** @param update null deletes the record */
async function change(
  db: mongo.Db,
  collection: string,
  id: string,
  update: mongo.UpdateFilter<mongo.Document> | null,
): Promise<void> {
  const filter = { _id: new Types.ObjectId(id) };
  if (update === null) await db.collection(collection).deleteOne(filter);
  else await db.collection(collection).updateOne(filter, update);
}

export async function succeed(answer: Promise<{ status: number; text: string }>): Promise<void> {
  const { status, text } = await answer;
  if (status !== 200) throw new Error(`a write of the test failed: ${status} ${text}`);
}
