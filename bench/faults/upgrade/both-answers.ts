import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { CREDENTIALS, type Call } from '../../../scripts/support/own-server.ts';
import {
  createArticle,
  publishArticle,
  signUpAuthor,
  type Person,
} from '../../support/newsroom.ts';
import { isInTime } from '../../support/timing.ts';
import { messageOf } from '../../../scripts/support/user-error.ts';
import type { Testbed } from '../testbed/testbed.ts';
import type { Pressroom } from '../../support/servers/pressroom.ts';

/** How long another process may show what was before. */
const WITHIN_MS = 1_000;

export interface Compared {
  /** Answers that were compared. */
  count: number;
  readonly differences: string[];
}

/**
 * Writes by one server, and reads what it wrote by both, in both directions: the answers must be the same.
 *
 * @param admin the token of one: each sign-in would end the oldest session of the account
 * @param versions of the servers, for the differences
 */
export async function compareAnswers(
  { servers }: Testbed,
  admin: string,
  { compared, versions }: { readonly compared: Compared; readonly versions: string },
): Promise<void> {
  const [one, other] = servers as unknown as readonly [Pressroom, Pressroom];
  const compareBoth = async (writer: Pressroom, reader: Pressroom): Promise<void> => {
    const { author, reads } = await written(writer, admin);
    const compareOne = async ({ path, token }: Read): Promise<void> => {
      let answers = await answersOf([writer, reader], path, token);
      const areSame = async () => {
        answers = await answersOf([writer, reader], path, token);
        return isDeepStrictEqual(...answers);
      };
      const isSame = await isInTime(areSame, { withinMs: WITHIN_MS });
      compared.count += 1;
      if (isSame && answers[0].status === 200) return;
      const texts = answers.map((answer) => JSON.stringify(answer).slice(0, 1_000));
      compared.differences.push(
        [`${versions}: ${path}, written by ${writer.name}:`, ...texts].join('\n    '),
      );
    };
    await Promise.all(reads.map(compareOne));
    compared.count += 1;
    await refreshElsewhere(author, writer, reader).catch((error: unknown) =>
      compared.differences.push(`${versions}: a session of ${writer.name}: ${messageOf(error)}`),
    );
  };
  await Promise.all([compareBoth(one, other), compareBoth(other, one)]);
}

interface Read {
  readonly path: string;
  readonly token?: string;
}

interface ToRead {
  readonly author: Person;
  /** What shows what was written. */
  readonly reads: readonly Read[];
}

/** Again, and something else, when a request is refused: the writers of the run go on meanwhile. */
async function written(writer: Pressroom, admin: string, attempts = 20): Promise<ToRead> {
  try {
    return await writeBy(writer.call, admin);
  } catch (error) {
    if (attempts === 1) throw error;
    await wait(1_000);
    return written(writer, admin, attempts - 1);
  }
}

async function writeBy(call: Call, admin: string): Promise<ToRead> {
  const mark = randomUUID().slice(0, 8);
  const author = await signUpAuthor(call, `author-${mark}@faults.example`, admin);
  const { token } = author;
  const article = {
    title: `Title ${mark}`,
    description: `About ${mark}.`,
    draftText: `<h2>Part</h2><p>Text of ${mark}.</p><script>alert(1)</script>`,
    tags: [`tag-${mark}`],
  };
  const { _id: id, slug } = await publishArticle(call, { author: token, admin }, article);
  const edited = { title: `Edited ${mark}`, draftText: `<p>Draft of ${mark}.</p>` };
  await call('PUT', `/blog/author/id/${id}`, { token, body: edited });
  await call('POST', `/blog/author/comments/id/${id}`, { token, body: { text: mark } });
  const draft = await createArticle(call, token, { ...article, title: `Draft ${mark}` });
  await call('PUT', `/blog/author/submit/${draft._id}`, { token });
  const reads = [
    { path: `/blog/id/${id}` },
    { path: `/blog/slug/${slug}` },
    { path: `/blogs/tag/tag-${mark}` },
    { path: `/blogs/search?q=${mark}` },
    { path: `/feeds/feed.json?tag=tag-${mark}` },
    { path: `/blog/author/id/${id}`, token },
    { path: `/blog/author/history/id/${id}`, token },
    { path: `/blog/author/comments/id/${id}`, token },
    { path: '/blog/author/submitted', token },
    { path: `/blog/editor/id/${draft._id}`, token: admin },
    { path: '/profile/mine', token },
  ];
  return { author, reads };
}

interface Answer {
  readonly status: number;
  /** Data of the envelope, or the whole body of an answer without one. */
  readonly data: unknown;
}

async function answersOf(
  servers: readonly [Pressroom, Pressroom],
  path: string,
  token?: string,
): Promise<[Answer, Answer]> {
  const [one, other] = servers.map(async ({ url }): Promise<Answer> => {
    const headers = {
      'x-api-key': CREDENTIALS.apiKey,
      ...(token && { authorization: `Bearer ${token}` }),
    };
    const response = await fetch(`${url}${path}`, { headers });
    const body = (await response.json()) as { data?: unknown };
    return { status: response.status, data: 'data' in body ? body.data : body };
  }) as [Promise<Answer>, Promise<Answer>];
  return [await one, await other];
}

/** A session that one of them has begun goes on at the other. @throws Error when it does not */
async function refreshElsewhere(
  { email, password }: Person,
  writer: Pressroom,
  reader: Pressroom,
): Promise<void> {
  interface SignedIn {
    readonly tokens: { readonly accessToken: string; readonly refreshToken: string };
  }
  const body = { email, password };
  const { tokens } = await writer.call<SignedIn>('POST', '/auth/signin/basic', { body });
  await reader.call('POST', '/auth/refresh', {
    token: tokens.accessToken,
    body: { refresh_token: tokens.refreshToken },
  });
}
