import type { Call } from '../../scripts/support/own-server.ts';
import {
  publishArticle,
  signInAdmin,
  signUpAuthor,
  submitAndPublish,
  type Blog,
  type Person,
  type Tokens,
} from '../support/newsroom.ts';
import { cycled, randomOf, shuffled, type Random } from '../support/statistics.ts';

/** Number of authors. It must be realistic: a purge by an author's tag removes all articles of this author. */
const AUTHOR_COUNT = 12;
const TAG_COUNT = 20;
const KEY_COUNT = 4;
const TEXT = '<p>A paragraph of an article that many people read through a CDN.</p>'.repeat(70);

/** An article, with the access tokens of its author and of an editor. */
export interface OwnedBlog extends Blog {
  readonly tokens: Tokens;
}

export interface ApiKey {
  readonly _id: string;
  readonly key: string;
}

export interface Content {
  /** The admin's access token. */
  readonly admin: string;
  readonly authors: readonly Person[];
  readonly articles: readonly OwnedBlog[];
  readonly keys: readonly string[];
}

/** Signs up authors, publishes articles, and makes API keys. */
export async function fillOrigin(call: Call, count: number): Promise<Content> {
  const admin = await signInAdmin(call);
  const authors: Person[] = [];
  // Authors sign up one after the other, because the server refuses to hash many passwords at the same time.
  while (authors.length < AUTHOR_COUNT) {
    authors.push(await signUpAuthor(call, `author-${authors.length}@cdn.example`, admin));
  }
  const blogs = await Promise.all(
    authors.map(async ({ token }, at) => {
      const tokens = { author: token, admin };
      const articles: OwnedBlog[] = [];
      for (let number = at; number < count; number += AUTHOR_COUNT) {
        articles.push({ ...(await publishArticle(call, tokens, articleOf(number))), tokens });
      }
      return articles;
    }),
  );
  const keys = await Promise.all(Array.from({ length: KEY_COUNT }, () => createKey(call, admin)));
  return { admin, authors, articles: shuffled(blogs.flat()), keys: keys.map(({ key }) => key) };
}

export function articleOf(number: number) {
  return {
    title: `Article ${number} of a newsroom`,
    description: 'One of the articles that are read through the CDN.',
    draftText: TEXT,
    tags: [tagOf(number), tagOf(number * 7 + 3)],
  };
}

function tagOf(number: number): string {
  return `topic-${number % TAG_COUNT}`;
}

export function createKey(call: Call, admin: string): Promise<ApiKey> {
  return call<ApiKey>('POST', '/admin/apikeys', { token: admin, body: {} });
}

/** Changes the title of an article and publishes the change. */
export async function editLive(call: Call, blog: OwnedBlog, title: string): Promise<void> {
  const { tokens } = blog;
  await call('PUT', `/blog/author/id/${blog._id}`, { token: tokens.author, body: { title } });
  await submitAndPublish(call, tokens, blog);
}

/** @returns the paths that readers ask for, by kind; `drawReads` draws the first paths of each kind most often */
export function pathsByKind({ articles, authors }: Content) {
  return {
    article: articles.map(({ slug }) => `/blog/slug/${slug}`),
    list: ['', '?limit=20', '?page=2', '?page=3', '?limit=50'].map((q) => `/blogs/latest${q}`),
    tag: Array.from({ length: TAG_COUNT }, (_, number) => `/blogs/tag/${tagOf(number)}`),
    other: ['/tags', ...authors.map(({ id }) => `/blogs/author/id/${id}`)],
  };
}

/** Number of reads of each kind among 100. */
const SHARES = { article: 70, list: 15, tag: 10, other: 5 } as const;

/** Draws reads: by kind, and within a kind popular paths more often than others (Zipf). */
export function drawReads(content: Content, count: number): string[] {
  const random = randomOf(1);
  const byKind = pathsByKind(content);
  const kinds = Object.entries(SHARES).flatMap(([kind, share]) =>
    Array.from({ length: share }, () => byKind[kind as keyof typeof SHARES]),
  );
  return Array.from({ length: count }, () => {
    const paths = kinds[Math.floor(random() * kinds.length)] ?? [];
    return drawPopular(paths, random);
  });
}

/** Draws a path. The weight of the n-th path is about 1/n, because the logarithm of n is drawn evenly. */
function drawPopular(paths: readonly string[], random: Random): string {
  return cycled(paths, Math.floor((paths.length + 1) ** random()) - 1);
}
