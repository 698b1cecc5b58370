import { tagKey } from './articles.mjs';
import { sameList } from './publishing.mjs';

const PAGE = 100;
/** A list that goes on for longer than this does not end. */
const MAX_PAGES = 10_000;

/** Reads an article by id and by slug as any holder of an API key does, and asks once more. */
export async function readOne({ client, recorder }, record) {
  const path = `/blog/id/${record.id}`;
  const { data, etag } = await client.call('read by id', 'GET', path);
  checkPublic(recorder, 'read by id', data, record);
  await client.call('read again: 304', 'GET', path, {
    headers: { 'if-none-match': etag },
    expect: 304,
  });
  const slugPath = `/blog/slug/${encodeURIComponent(record.slug)}`;
  const bySlug = await client.call('read by slug', 'GET', slugPath);
  checkPublic(recorder, 'read by slug', bySlug.data, record);
  return record;
}

/** Finds every article in the list of latest ones and under each of its tags. */
export async function readLists(run, records) {
  const { client, recorder } = run;
  const latest = await walk(run, 'latest', '/blogs/latest', records);
  const dates = [...latest.values()].map(({ publishedAt }) => Date.parse(publishedAt));
  const isSorted = dates.every((date, index) => index === 0 || date <= dates[index - 1]);
  recorder.check('latest', isSorted, 'the list is not ordered by publication, newest first');
  const listed = [...latest.keys()].filter((id) => records.some((record) => record.id === id));
  const expected = records.map(({ id }) => id).reverse();
  recorder.check('latest', sameList(listed, expected), 'not in the order of their publication');

  for (const [key, tagged] of byTag(records)) {
    await walk(run, 'by tag', `/blogs/tag/${encodeURIComponent(key)}`, tagged);
  }
  for (const { id, title } of records) {
    const { data } = await client.call('similar', 'GET', `/blogs/similar/id/${id}`);
    const isFit = data.length <= 6 && data.every((item) => item._id !== id);
    recorder.check('similar', isFit, `"${title}" has ${data.length}, or itself among them`);
  }
}

/** @returns the records by the tags that they can be found under */
export function byTag(records) {
  const tagged = new Map();
  for (const record of records) {
    for (const key of record.tags.map(tagKey))
      tagged.set(key, [...(tagged.get(key) ?? []), record]);
  }
  return tagged;
}

/**
 * Pages through a list until it has shown every record, and compares each.
 *
 * @returns the items by id, in the order of the list
 */
export async function walk({ client, recorder }, step, path, records) {
  const items = new Map();
  const missing = new Set(records.map(({ id }) => id));
  for (let page = 1; missing.size > 0 && page <= MAX_PAGES; page += 1) {
    const { data } = await client.call(step, 'GET', `${path}?page=${page}&limit=${PAGE}`);
    for (const item of data) {
      items.set(item._id, item);
      missing.delete(item._id);
    }
    if (data.length === 0) break;
  }
  for (const record of records) {
    const item = items.get(record.id);
    if (!recorder.check(step, item !== undefined, `"${record.title}" is not in ${path}`)) continue;
    const problem = differenceOf(item, record);
    recorder.check(step, problem === null, `"${record.title}" in ${path}: ${problem}`);
  }
  return items;
}

/** Compares a public view with the record, field by field. */
export function checkPublic(recorder, step, view, record) {
  const problem =
    differenceOf(view, record) ??
    (view.text !== record.text ? 'another text' : null) ??
    (view.author._id !== record.authorId ? 'another author' : null) ??
    ('draftText' in view ? 'the draft is shown' : null);
  recorder.check(step, problem === null, `"${record.title}": ${problem}`);
}

/** @returns which of the fields that a list item shows differs; null when none does */
export function differenceOf(view, record) {
  for (const field of ['title', 'description', 'slug']) {
    if (view[field] !== record[field]) return `${field} is "${view[field]}"`;
  }
  if (!sameList(view.tags, record.tags)) return `tags are ${view.tags}`;
  return Number.isNaN(Date.parse(view.publishedAt)) ? 'publishedAt is no time' : null;
}
