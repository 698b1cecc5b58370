import type { INestApplicationContext } from '@nestjs/common';
import { Types, type mongo } from 'mongoose';
import type { RoleCode } from '../../../src/common/access/role-code.js';
import { HtmlCleaner } from '../../../src/blog/html/html-cleaner.js';
import { BLOG_READS, type BlogRead } from '../../routes/reads.js';
import type { Client } from '../../support/client.js';
import { account, blogIn, unique } from '../../support/factories.js';
import { openSession } from '../../support/sessions.js';
import { holdNextCall, holdNextRead, type HeldRead } from './barriers.js';
import type { Stage } from './fixture.js';
import { ABSENT, titleIn, titleOf } from './titles.js';

/** Something that is read from memory, and a write that changes what must be read. */
export interface Scene {
  /** @param client of the server that is asked, with an API key @returns a word or two */
  read(client: Client): Promise<string>;
  /** Through the API of the stage's server. */
  write(): Promise<void>;
  /** The same by a plain edit of the database. */
  edit(): Promise<void>;
  readonly before: string;
  readonly after: string;
  /** Holds the next read that what is remembered would be made of. */
  hold(app: INestApplicationContext): HeldRead;
}

export type MakeScene = (stage: Stage) => Promise<Scene>;

const NEW_TITLE = 'New title';
const NEW_NAME = 'New name';
const CACHED_READS = BLOG_READS.filter(({ isCached }) => isCached);

const BLOG_WRITES = {
  'is unpublished': {
    after: ABSENT,
    write: ({ editor }: Stage, id: string) => editor.client.put(`/blog/editor/unpublish/id/${id}`),
    edit: { $unset: { live: 1 }, $set: { published: false, drafted: true } },
  },
  'is deleted': {
    after: ABSENT,
    write: ({ author }: Stage, id: string) => author.client.delete(`/blog/author/id/${id}`),
    edit: null,
  },
  'is published in a new revision': {
    after: NEW_TITLE,
    write: ({ editor }: Stage, id: string) => editor.client.put(`/blog/editor/publish/id/${id}`),
    edit: { $set: { 'live.title': NEW_TITLE } },
  },
} as const;

/** A live blog with a new title in review, so that every move of the table is allowed. */
function blogScene(
  { isList, pathTo }: BlogRead,
  { after, write, edit }: (typeof BLOG_WRITES)[keyof typeof BLOG_WRITES],
): MakeScene {
  return async (stage) => {
    const { author, editor, db } = stage;
    const tags = [unique('tag')];
    const neighbour = await blogIn('live', author, editor, { tags });
    const blog = await blogIn('live', author, editor, { tags });
    await author.client.put(`/blog/author/id/${blog._id}`, { title: NEW_TITLE });
    await author.client.put(`/blog/author/submit/${blog._id}`);
    const path = pathTo({ ...blog, author, neighbour });
    return {
      before: blog.body.title,
      after,
      read: (client) => (isList ? titleIn(client, path, blog._id) : titleOf(client, path)),
      write: () => succeed(write(stage, blog._id)),
      edit: () => change(db, 'blogs', blog._id, edit),
      hold: holdNextRead,
    };
  };
}

/** An article shows the name of its author, which a list does not. */
function authorScene({ pathTo }: BlogRead): MakeScene {
  return async (stage) => {
    const author = await signedIn(stage, 'AUTHOR');
    const blog = await blogIn('live', author, stage.editor);
    const path = pathTo({ ...blog, author, neighbour: blog });
    return {
      before: author.name,
      after: NEW_NAME,
      read: async (client) => (await client.get(path)).body.data.author.name,
      write: () => succeed(author.client.put('/profile/mine', { name: NEW_NAME })),
      edit: () => change(stage.db, 'users', author._id, { $set: { name: NEW_NAME } }),
      // Blog and name have been read one after the other when the text is cleaned.
      hold: (app) => holdNextCall(app.get(HtmlCleaner), 'servedText'),
    };
  };
}

const profileScene: MakeScene = async (stage) => {
  const ada = await signedIn(stage);
  return {
    before: ada.name,
    after: NEW_NAME,
    read: async ({ url }) =>
      (await stage.author.client.at(url).get(`/profile/id/${ada._id}`)).body.data.name,
    write: () => succeed(ada.client.put('/profile/mine', { name: NEW_NAME })),
    edit: () => change(stage.db, 'users', ada._id, { $set: { name: NEW_NAME } }),
    hold: holdNextRead,
  };
};

interface AccountParts {
  readonly id: string;
  readonly sid: string;
  /** Another session of the same account. */
  readonly phone: Client;
}

const ACCOUNT_WRITES = {
  'is signed out': {
    after: '401',
    write: (_: Stage, { phone, sid }: AccountParts) => phone.delete(`/auth/sessions/id/${sid}`),
    edit: ({ db }: Stage, { sid }: AccountParts) => change(db, 'sessions', sid, null),
  },
  'is disabled': {
    after: '401',
    write: ({ editor }: Stage, { id }: AccountParts) =>
      editor.client.put(`/admin/users/id/${id}/status`, { enabled: false }),
    edit: ({ db }: Stage, { id }: AccountParts) =>
      change(db, 'users', id, { $set: { status: false } }),
  },
  'loses the role': {
    after: '403',
    write: ({ editor }: Stage, { id }: AccountParts) =>
      editor.client.put(`/admin/users/id/${id}/roles`, { roles: ['LEARNER'] }),
    edit: ({ db }: Stage, { id }: AccountParts) => change(db, 'users', id, { $set: { roles: [] } }),
  },
} as const;

function accountScene({
  after,
  write,
  edit,
}: (typeof ACCOUNT_WRITES)[keyof typeof ACCOUNT_WRITES]): MakeScene {
  return async (stage) => {
    const { _id: id } = await account(stage, 'AUTHOR');
    const { client: own, sid } = await openSession(stage, { _id: id });
    const { client: phone } = await openSession(stage, { _id: id });
    const parts = { id, sid, phone };
    return {
      before: '200',
      after,
      read: async ({ url }) => String((await own.at(url).get('/blog/author/drafts')).status),
      write: () => succeed(write(stage, parts)),
      edit: () => edit(stage, parts),
      hold: holdNextRead,
    };
  };
}

const KEY_WRITES = {
  'is disabled': {
    write: ({ editor }: Stage, path: string) => editor.client.put(path, { enabled: false }),
    edit: { $set: { status: false } },
  },
  'is deleted': {
    write: ({ editor }: Stage, path: string) => editor.client.delete(path),
    edit: null,
  },
} as const;

function keyScene({ write, edit }: (typeof KEY_WRITES)[keyof typeof KEY_WRITES]): MakeScene {
  return async (stage) => {
    const { body } = await stage.editor.client.post('/admin/apikeys', {});
    const { _id, key } = body.data;
    const headers = { 'x-api-key': String(key) };
    return {
      before: '200',
      after: '403',
      read: async (client) => String((await client.get('/auth/verify/apikey', { headers })).status),
      write: () => succeed(write(stage, `/admin/apikeys/id/${String(_id)}`)),
      edit: () => change(stage.db, 'api_keys', String(_id), edit),
      hold: holdNextRead,
    };
  };
}

type Named = readonly [string, MakeScene];

/** Everything that is served from memory, with every write that concerns it. */
export const SCENES: readonly Named[] = [
  ...Object.entries(BLOG_WRITES).flatMap(([write, change]) =>
    CACHED_READS.map((read): Named => [
      `a blog, read by ${read.route}, that ${write}`,
      blogScene(read, change),
    ]),
  ),
  ...CACHED_READS.filter(({ isList }) => !isList).map((read): Named => [
    `a blog, read by ${read.route}, whose author is renamed`,
    authorScene(read),
  ]),
  ['a profile that is renamed', profileScene],
  ...Object.entries(ACCOUNT_WRITES).map(([what, write]): Named => [
    `somebody who ${what}`,
    accountScene(write),
  ]),
  ...Object.entries(KEY_WRITES).map(([what, write]): Named => [
    `an API key that ${what}`,
    keyScene(write),
  ]),
];

async function signedIn(
  stage: Stage,
  ...roles: readonly RoleCode[]
): Promise<{ _id: string; name: string; client: Client }> {
  const { _id, name } = await account(stage, ...roles);
  return { _id, name, client: (await openSession(stage, { _id })).client };
}

/** @param update null deletes */
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

async function succeed(answer: Promise<{ status: number; text: string }>): Promise<void> {
  const { status, text } = await answer;
  if (status !== 200) throw new Error(`a write of the test failed: ${status} ${text}`);
}
