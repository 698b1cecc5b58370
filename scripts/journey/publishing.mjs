import { keptTags, lettersOf } from './articles.mjs';

const MAX_SLUG = 200;

/**
 * Creates a draft and shows that readers do not get it. A slug that is taken gets the run's ending.
 *
 * @returns the record that the later steps compare with: what the server has made of the article
 */
export async function createArticle({ client, recorder, id: runId }, { author, reader }, article) {
  const step = 'create';
  const { title, description, slug, tags, html } = article;
  const body = { title, description, draftText: html, tags: keptTags(tags) };
  const send = (wanted, also) =>
    client.call(step, 'POST', '/blog/author', {
      as: author.tokens,
      body: { ...body, slug: wanted },
      also,
    });
  let answer = await send(slug, 400);
  const isSuffixed = answer.status === 400 && answer.message.startsWith('blog with slug');
  if (answer.status === 400) {
    const ending = `-${runId}`;
    answer = await send(isSuffixed ? slug.slice(0, MAX_SLUG - ending.length) + ending : slug);
  }
  const { data } = answer;
  const name = `"${title}"`;
  recorder.check(step, data.title === title.trim(), `${name} has the title "${data.title}"`);
  recorder.check(step, data.description === description.trim(), `${name}: another description`);
  recorder.check(step, sameList(data.tags, body.tags), `${name} has the tags ${data.tags}`);
  recorder.check(step, data.author.name === author.name, `${name} is by ${data.author.name}`);
  recorder.check(step, flagsOf(data) === 'drafted', `${name} is ${flagsOf(data)}`);
  recorder.check(
    step,
    lettersOf(data.draftText) === lettersOf(html) && data.draftText !== '',
    `${name}: cleaning has changed the words`,
  );
  recorder.check(step, !UNSAFE.test(data.draftText), `${name}: the text was not cleaned`);

  const hidden = { as: reader.tokens, expect: 404 };
  await client.call('draft to a reader: 404', 'GET', `/blog/id/${data._id}`, hidden);
  const { _id: id, draftText: text } = data;
  return {
    id,
    text,
    slug: data.slug,
    title: data.title,
    description: data.description,
    tags: data.tags,
    authorId: author.id,
    isSuffixed,
  };
}

const UNSAFE = /<(?:script|style|iframe|form|svg|object|embed)\b|<[^>]*\son\w+\s*=/i;

export async function submitArticle({ client, recorder }, { author }, record) {
  const { data } = await client.call('submit', 'PUT', `/blog/author/submit/${record.id}`, {
    as: author.tokens,
  });
  recorder.check('submit', flagsOf(data) === 'submitted', `"${record.title}" is ${flagsOf(data)}`);
  return record;
}

/** The editor reads the submitted revision and publishes exactly that one (`If-Match`). */
export async function publishArticle({ client, recorder }, { editor }, record) {
  const reviewed = await client.call('review', 'GET', `/blog/editor/id/${record.id}`, {
    as: editor.tokens,
  });
  const isWhole = reviewed.data.draftText === record.text;
  recorder.check('review', isWhole, `"${record.title}": the editor reads another text`);
  const { data } = await client.call('publish', 'PUT', `/blog/editor/publish/id/${record.id}`, {
    as: editor.tokens,
    headers: { 'if-match': reviewed.etag },
  });
  const isLive = flagsOf(data) === 'published' && data.text === record.text;
  recorder.check('publish', isLive, `"${record.title}" is ${flagsOf(data)}`);
  return record;
}

export function flagsOf(view) {
  return ['submitted', 'drafted', 'published'].filter((flag) => view[flag]).join(' ');
}

export function sameList(left, right) {
  return left.length === right.length && left.every((item, index) => item === right[index]);
}
