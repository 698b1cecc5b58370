import { storedTags, lettersOf, type Article } from '../support/articles.ts';
import type { Data } from '../../client/src/index.ts';
import type { Answer, Run } from './client.ts';
import type { People, WritingRun } from './people.ts';

const MAX_SLUG = 200;

/** An article as the server has stored it. Later steps compare responses with this record. */
export interface BlogRecord {
  readonly id: string;
  readonly authorId: string;
  /** Whether the id of the run was appended to the slug, because the slug of the article was taken. */
  readonly isSuffixed: boolean;
  text: string;
  slug: string;
  title: string;
  description: string;
  tags: readonly string[];
}

/** A blog as its author and the editors see it. */
type EditorialBlog = Data<'GET', '/blog/author/id/{id}'>;

/** Creates a draft, and checks that readers do not find it. If its slug is taken, the id of the run is appended. */
export async function createArticle(
  { client, recorder, id: runId }: WritingRun,
  { author, reader }: People,
  article: Article,
): Promise<BlogRecord> {
  const step = 'create';
  const { title, description, slug, tags, html } = article;
  const body = { title, description, draftText: html, tags: storedTags(tags) };
  const send = (slugToSend: string, alsoAllow?: number): Promise<Answer<EditorialBlog>> =>
    client.call(step, 'POST', '/blog/author', {
      as: author.session,
      body: { ...body, slug: slugToSend },
      alsoAllow,
    });
  let answer = await send(slug, 400);
  const isSuffixed = answer.status === 400 && answer.message.startsWith('blog with slug');
  if (answer.status === 400) {
    // After any other 400 the same request is sent again, which records the failure.
    const ending = `-${runId}`;
    answer = await send(isSuffixed ? slug.slice(0, MAX_SLUG - ending.length) + ending : slug);
  }
  const { data } = answer;
  const name = `"${title}"`;
  recorder.check(step, data.title === title.trim(), `${name} has the title "${data.title}"`);
  recorder.check(step, data.description === description.trim(), `${name}: another description`);
  recorder.check(step, sameList(data.tags, body.tags), `${name} has the tags ${data.tags.join()}`);
  recorder.check(step, data.author.name === author.name, `${name} is by ${data.author.name}`);
  recorder.check(step, flagsOf(data) === 'drafted', `${name} is ${flagsOf(data)}`);
  recorder.check(
    step,
    lettersOf(data.draftText) === lettersOf(html) && data.draftText !== '',
    `${name}: cleaning has changed the words`,
  );
  recorder.check(step, !UNSAFE.test(data.draftText), `${name}: the text was not cleaned`);

  const expectHidden = { as: reader.session, path: { id: data._id }, expect: 404 };
  await client.call('read a draft as a reader (404)', 'GET', '/blog/id/{id}', expectHidden);
  return {
    id: data._id,
    text: data.draftText,
    slug: data.slug,
    title: data.title,
    description: data.description,
    tags: data.tags,
    authorId: author.id,
    isSuffixed,
  };
}

const UNSAFE = /<(?:script|style|iframe|form|svg|object|embed)\b|<[^>]*\son\w+\s*=/i;

export async function submitArticle(
  { client, recorder }: Run,
  { author }: People,
  record: BlogRecord,
): Promise<BlogRecord> {
  const { data } = await client.call('submit', 'PUT', '/blog/author/submit/{id}', {
    as: author.session,
    path: { id: record.id },
  });
  recorder.check('submit', flagsOf(data) === 'submitted', `"${record.title}" is ${flagsOf(data)}`);
  return record;
}

/** The editor reads the submitted revision and publishes exactly this revision, by `If-Match`. */
export async function publishArticle(
  { client, recorder }: Run,
  { editor }: People,
  record: BlogRecord,
): Promise<BlogRecord> {
  const asEditor = { as: editor.session, path: { id: record.id } };
  const review = await client.call('review', 'GET', '/blog/editor/id/{id}', asEditor);
  const isWhole = review.data.draftText === record.text;
  recorder.check('review', isWhole, `"${record.title}": the editor reads another text`);
  const { data } = await client.call('publish', 'PUT', '/blog/editor/publish/id/{id}', {
    ...asEditor,
    ifMatch: review.etag,
  });
  const isLive = flagsOf(data) === 'published' && data.text === record.text;
  recorder.check('publish', isLive, `"${record.title}" is ${flagsOf(data)}`);
  return record;
}

export function flagsOf(view: Pick<EditorialBlog, 'submitted' | 'drafted' | 'published'>): string {
  return (['submitted', 'drafted', 'published'] as const).filter((flag) => view[flag]).join(' ');
}

export function sameList(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((item, index) => item === right[index]);
}
