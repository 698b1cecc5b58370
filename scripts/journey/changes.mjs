import { flagsOf } from './publishing.mjs';
import { checkPublic, readOne, walk } from './reading.mjs';

const TITLE_MAX = 500;

/**
 * Edits every field of a live article. Readers keep the old version, and the new slug and tag lead
 * nowhere, until an editor has published the edit.
 */
export async function editWhileLive(run, { author, editor }, record) {
  const { client, recorder, id: runId } = run;
  const step = 'edit while live';
  const ending = ` (second edition, ${runId})`;
  const edit = {
    title: record.title.slice(0, TITLE_MAX - ending.length) + ending,
    description: 'The second edition, which readers see once an editor has published it.',
    draftText: `<p>Second edition.</p>\n${record.text}`,
    slug: `second-edition-${runId}`,
    tags: [`second-edition-${runId}`],
  };
  const { data } = await client.call(step, 'PUT', `/blog/author/id/${record.id}`, {
    as: author.tokens,
    body: edit,
  });
  const isEdited = data.title === edit.title && flagsOf(data) === 'drafted published';
  recorder.check(step, isEdited, `the author sees "${data.title}", ${flagsOf(data)}`);

  await showOldVersion(run, record, edit);
  const moved = { as: author.tokens };
  await client.call('submit', 'PUT', `/blog/author/submit/${record.id}`, moved);
  await showOldVersion(run, record, edit);
  await client.call('publish', 'PUT', `/blog/editor/publish/id/${record.id}`, {
    as: editor.tokens,
  });
  Object.assign(record, edit, { text: data.draftText });
  await readOne(run, record);
  await walk(run, 'by tag', `/blogs/tag/${edit.tags[0]}`, [record]);
}

/** Author and editor see what happened to an article that was published and edited, newest first. */
export async function readHistory({ client, recorder }, { author, editor }, record) {
  const step = 'history';
  for (const [role, { tokens }] of Object.entries({ author, editor })) {
    const path = `/blog/${role}/history/id/${record.id}`;
    const { data } = await client.call(step, 'GET', path, { as: tokens });
    const moves = data.map(({ move }) => move).join(' ');
    const isWhole = moves === 'publish submit edit publish submit create';
    recorder.check(step, isWhole, `"${record.title}" went through: ${moves}`);
    const publisher = data[0]?.by?.name;
    recorder.check(step, publisher === editor.name, `it was published by ${publisher}`);
  }
}

async function showOldVersion(run, record, edit) {
  const { client, recorder } = run;
  const step = 'edit hidden from readers';
  const byId = await client.call(step, 'GET', `/blog/id/${record.id}`);
  checkPublic(recorder, step, byId.data, record);
  const bySlug = await client.call(step, 'GET', `/blog/slug/${encodeURIComponent(record.slug)}`);
  checkPublic(recorder, step, bySlug.data, record);
  await client.call(step, 'GET', `/blog/slug/${edit.slug}`, { expect: 404 });
  const { data } = await client.call(step, 'GET', `/blogs/tag/${edit.tags[0]}`);
  recorder.check(step, data.length === 0, 'the list of the new tag shows the edit');
  await walk(run, step, '/blogs/latest', [record]);
}

/** Taken down by the editor: gone for readers, a draft for its author. */
export async function unpublishOne(run, { author, editor }, record) {
  const { client, recorder } = run;
  const step = 'unpublish';
  await client.call(step, 'PUT', `/blog/editor/unpublish/id/${record.id}`, { as: editor.tokens });
  await showGone(run, 'unpublished to a reader: 404', record);
  const path = `/blog/author/id/${record.id}`;
  const { data } = await client.call(step, 'GET', path, { as: author.tokens });
  const isDraft = flagsOf(data) === 'drafted' && data.draftText === record.text;
  recorder.check(step, isDraft, `"${record.title}" is ${flagsOf(data)} for its author`);
}

/** Deleted by its author: gone for everyone. */
export async function removeOne(run, { author, editor }, record) {
  const { client } = run;
  const path = `/blog/author/id/${record.id}`;
  await client.call('delete', 'DELETE', path, { as: author.tokens });
  await showGone(run, 'deleted to a reader: 404', record);
  const gone = { expect: 404 };
  await client.call('delete', 'GET', path, { ...gone, as: author.tokens });
  await client.call('delete', 'GET', `/blog/editor/id/${record.id}`, {
    ...gone,
    as: editor.tokens,
  });
}

async function showGone({ client, recorder }, step, { id, slug, title }) {
  await client.call(step, 'GET', `/blog/id/${id}`, { expect: 404 });
  await client.call(step, 'GET', `/blog/slug/${encodeURIComponent(slug)}`, { expect: 404 });
  const { data } = await client.call(step, 'GET', '/blogs/latest?limit=100');
  const isGone = data.every((item) => item._id !== id);
  recorder.check(step, isGone, `"${title}" is still in the list of latest ones`);
}
