import { randomUUID } from 'node:crypto';
import { callServer, type Call } from '../../scripts/support/own-server.ts';
import { API_KEY, AUTHOR_ACCOUNTS, PASSWORD } from '../data/people.ts';
import type { Server } from '../support/servers/servers.ts';
import { built } from '../support/built.ts';
import { cycled } from '../support/statistics.ts';
import { SHARED_TAG, type Leaver } from './fill.ts';
import { newPicture, type Picture } from './pictures.ts';

const { PATH_TO_STATE } = await built('cli/setup/demo/path-to-state');

/** Number of pictures that a page of the library has by default. */
const PAGE_OF_PICTURES = 20;

/** The states in which an operation is tried, in this order, until it succeeds. */
export const STATES = [
  'live',
  'live with draft',
  'in review',
  'live in review',
  'draft',
  'scheduled',
  'trashed',
] as const;
export type State = (typeof STATES)[number];

export interface Caller {
  readonly id: string;
  readonly email: string;
  readonly token: string;
  readonly refreshToken: string;
}

interface SignedIn {
  readonly user: { readonly _id: string };
  readonly tokens: { readonly accessToken: string; readonly refreshToken: string };
}

/** Makes records and callers for requests to a server. */
export class Newsroom {
  readonly server: Server;
  /** The author of the live articles. */
  readonly author: Caller;
  /** Has all roles, and has written nothing. */
  readonly editor: Caller;
  /** The cover of the articles of requests. */
  readonly cover: Picture;
  readonly #leavers: readonly Leaver[];
  #left = 0;

  private constructor(
    given: Pick<Newsroom, 'server' | 'author' | 'editor' | 'cover'>,
    leavers: readonly Leaver[],
  ) {
    this.server = given.server;
    this.author = given.author;
    this.editor = given.editor;
    this.cover = given.cover;
    this.#leavers = leavers;
  }

  /** @param leavers accounts that requests may delete */
  static async open(server: Server, leavers: readonly Leaver[]): Promise<Newsroom> {
    const [author, editor] = await Promise.all(
      [0, 1].map((number) => signIn(server.url, cycled(AUTHOR_ACCOUNTS, number).email)),
    );
    if (!author || !editor) throw new Error('there are too few authors');
    const cover = await newPicture(server.url, author.token);
    // The library then has a second page.
    for (let more = 0; more < PAGE_OF_PICTURES; more += 1) {
      await newPicture(server.url, author.token);
    }
    return new Newsroom({ server, author, editor, cover }, leavers);
  }

  readonly call: Call = (...args) => callServer(this.server.url, API_KEY, ...args);

  /** @returns an account that no request has used before */
  leaver(): Leaver {
    const leaver = this.#leavers[this.#left];
    if (leaver === undefined) throw new Error('the fill has too few accounts');
    this.#left += 1;
    return leaver;
  }

  readonly signIn = (email: string): Promise<Caller> => signIn(this.server.url, email);

  /** Makes a new article of the author. */
  async blog(state: State): Promise<{ readonly _id: string; readonly slug: string }> {
    const { author, editor, cover, call } = this;
    const text = { title: `Notes ${randomUUID()}`, description: 'On the engine.' };
    const body = {
      ...text,
      draftText: '<p>It weaves algebraic patterns.</p>',
      tags: [SHARED_TAG],
      cover: { media: cover.id },
    };
    const blog = await call<{ _id: string; slug: string }>('POST', '/blog/author', {
      token: author.token,
      body,
    });
    const id = blog._id;
    const byAuthor = { token: author.token };
    const steps = {
      submit: () => call('PUT', `/blog/author/submit/id/${id}`, byAuthor),
      publish: () => call('PUT', `/blog/editor/publish/id/${id}`, { token: editor.token }),
      edit: () => call('PUT', `/blog/author/id/${id}`, { ...byAuthor, body: { title: 'Edited' } }),
      delete: () => call('DELETE', `/blog/author/id/${id}`, byAuthor),
      schedule: () =>
        call('PUT', `/blog/editor/schedule/id/${id}`, { token: editor.token, body: TIMES() }),
    };
    const path =
      state === 'scheduled'
        ? (['submit', 'schedule'] as const)
        : state === 'trashed'
          ? (['delete'] as const)
          : PATH_TO_STATE[state];
    for (const step of path) await steps[step]();
    return blog;
  }
}

/** Times of a schedule. */
export function TIMES() {
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  return { publishAt: inHours(24), unpublishAt: inHours(48) };
}

async function signIn(url: string, email: string): Promise<Caller> {
  const body = { email, password: PASSWORD };
  const { user, tokens } = await callServer<SignedIn>(url, API_KEY, 'POST', '/auth/signin/basic', {
    body,
  });
  return { id: user._id, email, token: tokens.accessToken, refreshToken: tokens.refreshToken };
}
