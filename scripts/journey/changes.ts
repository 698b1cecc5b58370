import type { Run } from './client.ts';
import type { People, WritingRun } from './people.ts';
import { flagsOf, type BlogRecord } from './publishing.ts';
import { checkPublic, readOne, walk } from './reading.ts';

const TITLE_MAX = 500;

/**
 * Edits every field of a live article except its image, and publishes the edit. Until then, readers must
 * see the old version, and find nothing by the new slug and tag. Afterwards the former slug must redirect.
 */
export async function editWhileLive(
  run: WritingRun,
  { author, editor }: People,
  record: BlogRecord,
): Promise<void> {
  const { client, recorder, id: runId } = run;
  const step = 'edit while live';
  const ending = ` (second edition, ${runId})`;
  const newSlugAndTag = `second-edition-${runId}`;
  const edit = {
    title: record.title.slice(0, TITLE_MAX - ending.length) + ending,
    description: 'The second edition, which readers see once an editor has published it.',
    draftText: `<p>Second edition.</p>\n${record.text}`,
    slug: newSlugAndTag,
    tags: [newSlugAndTag],
  };
  const asAuthor = { as: author.session, path: { id: record.id } };
  const asEditor = { as: editor.session, path: { id: record.id } };
  const { data } = await client.call(step, 'PUT', '/blog/author/id/{id}', {
    ...asAuthor,
    body: edit,
  });
  const isEdited = data.title === edit.title && flagsOf(data) === 'drafted published';
  recorder.check(step, isEdited, `the author sees "${data.title}", ${flagsOf(data)}`);

  await checkOldVersion(run, record, newSlugAndTag);
  await client.call('submit', 'PUT', '/blog/author/submit/{id}', asAuthor);
  await checkOldVersion(run, record, newSlugAndTag);
  await client.call('publish', 'PUT', '/blog/editor/publish/id/{id}', asEditor);
  const byFormerSlug = { path: { slug: record.slug }, expect: 301 };
  const { title, description, slug, tags } = edit;
  Object.assign(record, { title, description, slug, tags, text: data.draftText });
  await readOne(run, record);
  await walk(run, 'list by tag', [record], newSlugAndTag);
  const redirect = await client.call(
    'follow a former slug',
    'GET',
    '/blog/slug/{slug}',
    byFormerSlug,
  );
  recorder.check(
    'follow a former slug',
    redirect.location === slug,
    `it leads to ${redirect.location}`,
  );
}

/** Checks that author and editor see the whole history of an article that was published and edited. */
export async function readHistory(
  { client, recorder }: Run,
  { author, editor }: People,
  record: BlogRecord,
): Promise<void> {
  const step = 'read history';
  const people = { author, editor };
  for (const role of ['author', 'editor'] as const) {
    const { data } = await client.call(step, 'GET', `/blog/${role}/history/id/{id}`, {
      as: people[role].session,
      path: { id: record.id },
    });
    const moves = data.map(({ move }) => move).join(' ');
    const isWhole = moves === 'publish submit edit publish submit create';
    recorder.check(step, isWhole, `"${record.title}" went through: ${moves}`);
    const publisher = data[0]?.by?.name;
    recorder.check(step, publisher === editor.name, `it was published by ${publisher}`);
  }
}

/** Checks that readers see the old version, and nothing by the new slug and tag. */
async function checkOldVersion(run: Run, record: BlogRecord, newSlugAndTag: string): Promise<void> {
  const { client, recorder } = run;
  const step = 'old version during an edit';
  for (const route of ['/blog/id/{id}', '/blog/slug/{slug}'] as const) {
    const { data } = await client.call(step, 'GET', route, { path: record });
    checkPublic(recorder, step, data, record);
  }
  const path = { slug: newSlugAndTag, tag: newSlugAndTag };
  await client.call(step, 'GET', '/blog/slug/{slug}', { path, expect: 404 });
  const { data } = await client.call(step, 'GET', '/blogs/tag/{tag}', { path });
  recorder.check(step, data.length === 0, 'the list of the new tag shows the edit');
  await walk(run, step, [record]);
}

/** Unpublishes an article, and checks that readers do not find it and that its author has it as a draft. */
export async function unpublishOne(
  run: Run,
  { author, editor }: People,
  record: BlogRecord,
): Promise<void> {
  const { client, recorder } = run;
  const step = 'unpublish';
  const path = { id: record.id };
  await client.call(step, 'PUT', '/blog/editor/unpublish/id/{id}', { as: editor.session, path });
  await checkNotPublic(run, 'read the unpublished article (404)', record);
  const asAuthor = { as: author.session, path };
  const { data } = await client.call(step, 'GET', '/blog/author/id/{id}', asAuthor);
  const isDraft = flagsOf(data) === 'drafted' && data.draftText === record.text;
  recorder.check(step, isDraft, `"${record.title}" is ${flagsOf(data)} for its author`);
}

/** Deletes an article, and checks that readers, its author and editors do not find it. */
export async function removeOne(
  run: Run,
  { author, editor }: People,
  record: BlogRecord,
): Promise<void> {
  const { client } = run;
  const asAuthor = { as: author.session, path: { id: record.id } };
  const asEditor = { as: editor.session, path: { id: record.id } };
  await client.call('delete', 'DELETE', '/blog/author/id/{id}', asAuthor);
  await checkNotPublic(run, 'read the deleted article (404)', record);
  await client.call('delete', 'GET', '/blog/author/id/{id}', { ...asAuthor, expect: 404 });
  await client.call('delete', 'GET', '/blog/editor/id/{id}', { ...asEditor, expect: 404 });
}

async function checkNotPublic(
  { client, recorder }: Run,
  step: string,
  { id, slug, title }: BlogRecord,
): Promise<void> {
  await client.call(step, 'GET', '/blog/id/{id}', { path: { id }, expect: 404 });
  await client.call(step, 'GET', '/blog/slug/{slug}', { path: { slug }, expect: 404 });
  const { data } = await client.call(step, 'GET', '/blogs/latest', { query: { limit: 100 } });
  const isGone = data.every((item) => item._id !== id);
  recorder.check(step, isGone, `"${title}" is still in the list of the latest articles`);
}

/**
 * Sends the same `POST` twice with one `Idempotency-Key`, as after a lost answer, and checks that it creates one
 * blog. Another request with this key is refused, and so is a repetition after the blog was deleted.
 */
export async function repeatCreation(
  { client, recorder, id: runId }: WritingRun,
  { author }: People,
): Promise<void> {
  const step = 'repeat a creation';
  const send = (title: string, expect = 200) =>
    client.call(step, 'POST', '/blog/author', {
      as: author.session,
      idempotencyKey: `journey-${runId}`,
      body: { title, description: 'Sent twice.', draftText: '<p>Once.</p>', slug: `sent-${runId}` },
      expect,
    });
  const [first, second] = [await send('Sent twice'), await send('Sent twice')];
  recorder.check(step, first.data._id === second.data._id, 'a repetition has made another blog');
  await send('Another request under the same key', 422);
  const asAuthor = { as: author.session, path: { id: first.data._id } };
  await client.call(step, 'DELETE', '/blog/author/id/{id}', asAuthor);
  await send('Sent twice', 404);
}
