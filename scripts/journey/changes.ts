import type { Run } from './client.ts';
import type { People, WritingRun } from './people.ts';
import { flagsOf, type BlogRecord, type EditorialBlog } from './publishing.ts';
import { checkPublic, readOne, walk, type ListItem, type PublicBlog } from './reading.ts';

const TITLE_MAX = 500;

/**
 * Edits every field of a live article except its image. Until an editor has published the edit, readers
 * see the old version, and find nothing by the new slug and tag.
 */
export async function editWhileLive(
  run: WritingRun,
  { author, editor }: People,
  record: BlogRecord,
): Promise<void> {
  const { client, recorder, id: runId } = run;
  const step = 'edit while live';
  const ending = ` (second edition, ${runId})`;
  const tag = `second-edition-${runId}`;
  const edit = {
    title: record.title.slice(0, TITLE_MAX - ending.length) + ending,
    description: 'The second edition, which readers see once an editor has published it.',
    draftText: `<p>Second edition.</p>\n${record.text}`,
    slug: tag,
    tags: [tag],
  };
  const path = `/blog/author/id/${record.id}`;
  const { data } = await client.call<EditorialBlog>(step, 'PUT', path, {
    as: author.tokens,
    body: edit,
  });
  const isEdited = data.title === edit.title && flagsOf(data) === 'drafted published';
  recorder.check(step, isEdited, `the author sees "${data.title}", ${flagsOf(data)}`);

  await checkOldVersion(run, record, tag);
  const asAuthor = { as: author.tokens };
  await client.call('submit', 'PUT', `/blog/author/submit/${record.id}`, asAuthor);
  await checkOldVersion(run, record, tag);
  await client.call('publish', 'PUT', `/blog/editor/publish/id/${record.id}`, {
    as: editor.tokens,
  });
  const former = `/blog/slug/${encodeURIComponent(record.slug)}`;
  const { title, description, slug, tags } = edit;
  Object.assign(record, { title, description, slug, tags, text: data.draftText });
  await readOne(run, record);
  await walk(run, 'list by tag', `/blogs/tag/${tag}`, [record]);
  const moved = await client.call('follow a former slug', 'GET', former, { expect: 301 });
  recorder.check('follow a former slug', moved.location === slug, `it leads to ${moved.location}`);
}

interface HistoryItem {
  readonly move: string;
  readonly by?: { readonly name: string };
}

/** Checks the history of an article that was published and edited, for its author and for the editor. */
export async function readHistory(
  { client, recorder }: Run,
  { author, editor }: People,
  record: BlogRecord,
): Promise<void> {
  const step = 'read history';
  for (const [role, { tokens }] of Object.entries({ author, editor })) {
    const path = `/blog/${role}/history/id/${record.id}`;
    const { data } = await client.call<HistoryItem[]>(step, 'GET', path, { as: tokens });
    const moves = data.map(({ move }) => move).join(' ');
    const isWhole = moves === 'publish submit edit publish submit create';
    recorder.check(step, isWhole, `"${record.title}" went through: ${moves}`);
    const publisher = data[0]?.by?.name;
    recorder.check(step, publisher === editor.name, `it was published by ${publisher}`);
  }
}

/** @param editedSlug the slug and the tag that only the edit has */
async function checkOldVersion(run: Run, record: BlogRecord, editedSlug: string): Promise<void> {
  const { client, recorder } = run;
  const step = 'old version during an edit';
  for (const path of [`id/${record.id}`, `slug/${encodeURIComponent(record.slug)}`]) {
    const { data } = await client.call<PublicBlog>(step, 'GET', `/blog/${path}`);
    checkPublic(recorder, step, data, record);
  }
  await client.call(step, 'GET', `/blog/slug/${editedSlug}`, { expect: 404 });
  const { data } = await client.call<ListItem[]>(step, 'GET', `/blogs/tag/${editedSlug}`);
  recorder.check(step, data.length === 0, 'the list of the new tag shows the edit');
  await walk(run, step, '/blogs/latest', [record]);
}

/** Unpublishes an article: readers do not find it, and it is a draft of its author. */
export async function unpublishOne(
  run: Run,
  { author, editor }: People,
  record: BlogRecord,
): Promise<void> {
  const { client, recorder } = run;
  const step = 'unpublish';
  await client.call(step, 'PUT', `/blog/editor/unpublish/id/${record.id}`, { as: editor.tokens });
  await checkNotPublic(run, 'read the unpublished article (404)', record);
  const path = `/blog/author/id/${record.id}`;
  const { data } = await client.call<EditorialBlog>(step, 'GET', path, { as: author.tokens });
  const isDraft = flagsOf(data) === 'drafted' && data.draftText === record.text;
  recorder.check(step, isDraft, `"${record.title}" is ${flagsOf(data)} for its author`);
}

/** Deletes an article: nobody finds it. */
export async function removeOne(
  run: Run,
  { author, editor }: People,
  record: BlogRecord,
): Promise<void> {
  const { client } = run;
  const path = `/blog/author/id/${record.id}`;
  await client.call('delete', 'DELETE', path, { as: author.tokens });
  await checkNotPublic(run, 'read the deleted article (404)', record);
  const gone = { expect: 404 };
  await client.call('delete', 'GET', path, { ...gone, as: author.tokens });
  await client.call('delete', 'GET', `/blog/editor/id/${record.id}`, {
    ...gone,
    as: editor.tokens,
  });
}

async function checkNotPublic(
  { client, recorder }: Run,
  step: string,
  { id, slug, title }: BlogRecord,
): Promise<void> {
  await client.call(step, 'GET', `/blog/id/${id}`, { expect: 404 });
  await client.call(step, 'GET', `/blog/slug/${encodeURIComponent(slug)}`, { expect: 404 });
  const { data } = await client.call<ListItem[]>(step, 'GET', '/blogs/latest?limit=100');
  const isGone = data.every((item) => item._id !== id);
  recorder.check(step, isGone, `"${title}" is still in the list of latest ones`);
}
