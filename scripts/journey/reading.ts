import type { Data, Item } from '../../client/src/index.ts';
import { tagKey } from '../support/articles.ts';
import type { Run } from './client.ts';
import { sameList, type BlogRecord } from './publishing.ts';
import type { Recorder } from './recorder.ts';

const PAGE_SIZE = 100;

/** Number of words at the beginning of a title that are searched for. */
const SEARCHED_WORD_COUNT = 4;

/** The fields of a list item that are compared with a record. */
export interface ListedFields {
  readonly title: string;
  readonly description: string;
  readonly slug: string;
  readonly tags: readonly string[];
}

type ListItem = Item<'/blogs/latest'>;

/** A blog as readers see it. */
type PublicBlog = Data<'GET', '/blog/id/{id}'>;

type ListedRecord = ListedFields & { readonly id: string };

/** Reads an article by id and by slug without a token, and checks the 304 of a conditional request. */
export async function readOne({ client, recorder }: Run, record: BlogRecord): Promise<BlogRecord> {
  const path = record;
  const { data, etag = '' } = await client.call('read by id', 'GET', '/blog/id/{id}', { path });
  checkPublic(recorder, 'read by id', data, record);
  await client.call('conditional read (304)', 'GET', '/blog/id/{id}', {
    path,
    headers: { 'if-none-match': etag },
    expect: 304,
  });
  const bySlug = await client.call('read by slug', 'GET', '/blog/slug/{slug}', { path });
  checkPublic(recorder, 'read by slug', bySlug.data, record);
  return record;
}

/**
 * Checks that every article is in `/blogs/latest` and in the list of each of its tags, and that it has at most six
 * similar blogs, itself not among them.
 */
export async function readLists(run: Run, records: readonly BlogRecord[]): Promise<void> {
  const { client, recorder } = run;
  const latest = await walk(run, 'list latest', records);
  const dates = [...latest.values()].map(({ publishedAt }) => Date.parse(publishedAt));
  const isSorted = sameList(
    dates,
    dates.toSorted((a, b) => b - a),
  );
  recorder.check('list latest', isSorted, 'the list is not ordered by publication, newest first');
  const listed = [...latest.keys()].filter((id) => records.some((record) => record.id === id));
  const expected = records.map(({ id }) => id).reverse();
  recorder.check(
    'list latest',
    sameList(listed, expected),
    'not in the order of their publication',
  );

  await walkTags(run, records);
  for (const { id, title } of records) {
    const options = { path: { id } };
    const { data } = await client.call('list similar', 'GET', '/blogs/similar/id/{id}', options);
    const isValid = data.length <= 6 && data.every((item) => item._id !== id);
    recorder.check(
      'list similar',
      isValid,
      `"${title}" has ${data.length} similar ones, or itself among them`,
    );
  }
}

/** Checks that a search for the first words of a title, among the articles of its author, finds and marks it. */
export async function readSearch(
  { client, recorder }: Run,
  records: readonly BlogRecord[],
): Promise<void> {
  const step = 'search';
  for (const { id, title, authorId } of records) {
    const words = title.split(/[^\p{L}\p{N}.]+/u).filter(Boolean);
    const q = words.slice(0, SEARCHED_WORD_COUNT).join(' ') || title;
    const query = { q, author: authorId, limit: 100 };
    const { data } = await client.call(step, 'GET', '/blogs/search', { query });
    const found = data.items.find((item) => item._id === id);
    const isMarked = found?.highlights.title.ranges.length !== 0;
    recorder.check(
      step,
      found !== undefined && isMarked,
      `"${title}" is not found by "${q}", or has no mark`,
    );
  }
}

/** Checks the routes for static sites: lists with texts, tags with their counts, and the author. */
export async function readForSite(
  { client, recorder }: Run,
  records: readonly BlogRecord[],
  authorId: string,
): Promise<void> {
  const path = { id: authorId };
  const { data } = await client.call('list with texts', 'GET', '/blogs/author/id/{id}', {
    path,
    query: { include: 'text', limit: 20, order: 'oldest' },
  });
  const texts = data.map(({ text }) => text);
  const expected = records.slice(0, 20).map(({ text }) => text);
  recorder.check(
    'list with texts',
    sameList(texts, expected),
    'other texts, or not the oldest first',
  );

  const occurrencesByTag = Map.groupBy(
    records.flatMap(({ tags }) => [...new Set(tags.map(tagKey))]),
    String,
  );
  for (const [key, { length }] of occurrencesByTag) {
    const query = { prefix: key, order: 'name', limit: 1 } as const;
    const { data: tags } = await client.call('tags', 'GET', '/tags', { query });
    const [first] = tags;
    // Other articles may have the tag as well.
    const isCounted = first && tagKey(first.tag) === key && first.count >= length;
    recorder.check('tags', Boolean(isCounted), `"${key}" is listed as ${JSON.stringify(first)}`);
  }
  const author = await client.call('author', 'GET', '/authors/id/{id}', { path });
  const isWhole = author.data._id === authorId && author.data.blogs === records.length;
  recorder.check('author', isWhole, `has ${author.data.blogs} articles, not ${records.length}`);
}

/** Checks that each feed has the article that was published last; without `SITE_URL` feeds are 404. */
export async function readFeeds(
  { client, recorder }: Run,
  records: readonly BlogRecord[],
): Promise<void> {
  const step = 'read feeds';
  const newest = records.at(-1);
  for (const path of ['/feeds/rss.xml', '/feeds/atom.xml', '/feeds/feed.json'] as const) {
    const { status, message, data } = await client.call(step, 'GET', path, {
      alsoAllow: 404,
    });
    if (status === 404) recorder.check(step, message.includes('SITE_URL'), `${path}: ${message}`);
    else if (newest) recorder.check(step, data.includes(newest.id), `${path} lacks the newest`);
  }
}

/** Reads the list of every tag that one of the records has. */
export async function walkTags(run: Run, records: readonly ListedRecord[]): Promise<void> {
  const recordsByTag = new Map<string, ListedRecord[]>();
  for (const record of records) {
    for (const key of record.tags.map(tagKey)) {
      recordsByTag.set(key, [...(recordsByTag.get(key) ?? []), record]);
    }
  }
  for (const [key, expected] of recordsByTag) {
    await walk(run, 'list by tag', expected, key);
  }
}

/**
 * Reads the list of the latest articles, or of a tag, until it has contained every record, and compares each item
 * with its record.
 *
 * @returns the items by id, in the order of the list
 */
export async function walk(
  { client, recorder }: Run,
  step: string,
  records: readonly ListedRecord[],
  tag?: string,
): Promise<Map<string, ListItem>> {
  const items = new Map<string, ListItem>();
  const missing = new Set(records.map(({ id }) => id));
  const query = { limit: PAGE_SIZE };
  const list =
    tag === undefined
      ? client.list(step, '/blogs/latest', { query })
      : client.list(step, '/blogs/tag/{tag}', { path: { tag }, query });
  for await (const item of list) {
    // An item that is listed twice ends the loop: otherwise a server with endless pages would keep the run busy for
    // ever.
    if (items.has(item._id)) {
      recorder.fail(step, `"${item.title}" is listed twice`);
      break;
    }
    items.set(item._id, item);
    missing.delete(item._id);
    if (missing.size === 0) break;
  }
  for (const record of records) {
    const item = items.get(record.id);
    const problem = item ? differenceOf(item, record) : 'is missing';
    recorder.check(step, problem === null, `"${record.title}" in the list: ${problem}`);
  }
  return items;
}

/** Compares a public view with the record, field by field. */
export function checkPublic(
  recorder: Recorder,
  step: string,
  view: PublicBlog,
  record: BlogRecord,
): void {
  const problem =
    differenceOf(view, record) ??
    (view.text !== record.text ? 'another text' : null) ??
    (view.author._id !== record.authorId ? 'another author' : null) ??
    ('draftText' in view ? 'the draft is shown' : null);
  recorder.check(step, problem === null, `"${record.title}": ${problem}`);
}

/** @returns a description of the first field that differs; null when none does */
export function differenceOf(view: ListItem, record: ListedFields): string | null {
  for (const field of ['title', 'description', 'slug'] as const) {
    if (view[field] !== record[field]) return `${field} is "${view[field]}"`;
  }
  if (!sameList(view.tags, record.tags)) return `tags are ${view.tags.join()}`;
  return Number.isNaN(Date.parse(view.publishedAt)) ? 'publishedAt is no time' : null;
}
