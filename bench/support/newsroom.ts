/** Creates users and articles through the API of a server. */
import { randomUUID } from 'node:crypto';
import { CREDENTIALS, type Call } from '../../scripts/support/own-server.ts';

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly token: string;
}

export interface Blog {
  readonly _id: string;
  readonly slug: string;
}

export interface Article {
  readonly title: string;
  readonly description: string;
  readonly draftText: string;
  readonly tags: readonly string[];
}

/** The access tokens of an author, and of the first admin, who publishes. */
export interface Tokens {
  readonly author: string;
  readonly admin: string;
}

interface SignedIn {
  readonly user: { readonly _id: string };
  readonly tokens: { readonly accessToken: string };
}

/** @returns the access token of the first admin, who has all roles */
export async function signInAdmin(call: Call): Promise<string> {
  const { tokens } = await call<SignedIn>('POST', '/auth/signin/basic', { body: CREDENTIALS });
  return tokens.accessToken;
}

export async function signUp(call: Call, email: string): Promise<Person> {
  const person = { email, password: CREDENTIALS.password };
  const body = { ...person, name: 'Somebody' };
  const { user, tokens } = await call<SignedIn>('POST', '/auth/signup/basic', { body });
  return { ...person, id: user._id, token: tokens.accessToken };
}

/** Signs up a user and gives them the role AUTHOR. @param admin the admin's token */
export async function signUpAuthor(call: Call, email: string, admin: string): Promise<Person> {
  const person = await signUp(call, email);
  const body = { roles: ['LEARNER', 'AUTHOR'] };
  await call('PUT', `/admin/users/id/${person.id}/roles`, { token: admin, body });
  return person;
}

/** Signs in the admin, and signs up an author. */
export async function openNewsroom(call: Call, email = 'author@bench.example'): Promise<Tokens> {
  const admin = await signInAdmin(call);
  const { token: author } = await signUpAuthor(call, email, admin);
  return { author, admin };
}

export async function createArticle(call: Call, token: string, article: Article): Promise<Blog> {
  const body = { ...article, slug: `article-${randomUUID()}` };
  return call<Blog>('POST', '/blog/author', { token, body });
}

/** Submits an article of the author and publishes it. */
export async function submitAndPublish(
  call: Call,
  { author, admin }: Tokens,
  { _id }: Pick<Blog, '_id'>,
): Promise<void> {
  await call('PUT', `/blog/author/submit/${_id}`, { token: author });
  await call('PUT', `/blog/editor/publish/id/${_id}`, { token: admin });
}

export async function publishArticle(call: Call, tokens: Tokens, article: Article): Promise<Blog> {
  const blog = await createArticle(call, tokens.author, article);
  await submitAndPublish(call, tokens, blog);
  return blog;
}

/** Publishes articles that differ in title and text, one after the other. */
export async function publishMany(
  call: Call,
  tokens: Tokens,
  count: number,
  more: (at: number) => Partial<Article> = () => ({}),
): Promise<Blog[]> {
  const blogs: Blog[] = [];
  for (let at = 0; at < count; at += 1) {
    const article = {
      title: `Article ${at}`,
      description: 'For readers.',
      tags: ['read'],
      draftText: `<p>The text of article ${at}.</p>`,
    };
    blogs.push(await publishArticle(call, tokens, { ...article, ...more(at) }));
  }
  return blogs;
}
