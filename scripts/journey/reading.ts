import { tagKey } from '../support/articles.ts';
import type { Run } from './client.ts';
import { sameList, type BlogRecord } from './publishing.ts';
import type { Recorder } from './recorder.ts';

const PAGE_SIZE = 100;
/** Prevents an endless loop if the server always returns another page. */
const MAX_PAGES = 10_000;

/** Words of a title by which it is searched for. */
const SEARCHED_WORDS = 4;

/** The fields of a list item that are compared with a record. */
export interface ListedFields {
  readonly title: string;
  readonly description: string;
  readonly slug: string;
  readonly tags: readonly string[];
}

export interface ListItem extends ListedFields {
  readonly _id: string;
  readonly publishedAt: string;
}

/** A blog as readers see it. */
export interface PublicBlog extends ListItem {
  readonly text: string;
  readonly author: { readonly _id: string };
}

interface SearchPage {
  readonly items: readonly (ListItem & {
    readonly highlights: { readonly title: { readonly ranges: readonly object[] } };
  })[];
}

type ListedRecord = ListedFields & { readonly id: string };

/** Reads an article by id and by slug without a token, and checks the 304 of a conditional request. */
export async function readOne({ client, recorder }: Run, record: BlogRecord): Promise<BlogRecord> {
  const path = `/blog/id/${record.id}`;
  const { data, etag } = await client.call<PublicBlog>('read by id', 'GET', path);
  checkPublic(recorder, 'read by id', data, record);
  await client.call('conditional read (304)', 'GET', path, {
    headers: { 'if-none-match': etag },
    expect: 304,
  });
  const slugPath = `/blog/slug/${encodeURIComponent(record.slug)}`;
  const bySlug = await client.call<PublicBlog>('read by slug', 'GET', slugPath);
  checkPublic(recorder, 'read by slug', bySlug.data, record);
  return record;
}

/** Finds every article in the list of latest ones and under each of its tags. */
export async function readLists(run: Run, records: readonly BlogRecord[]): Promise<void> {
  const { client, recorder } = run;
  const latest = await walk(run, 'list latest', '/blogs/latest', records);
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
    const { data } = await client.call<ListItem[]>(
      'list similar',
      'GET',
      `/blogs/similar/id/${id}`,
    );
    const isValid = data.length <= 6 && data.every((item) => item._id !== id);
    recorder.check('list similar', isValid, `"${title}" has ${data.length}, or itself among them`);
  }
}

/** Finds every article by the first words of its title, of one author. */
export async function readSearch(
  { client, recorder }: Run,
  records: readonly BlogRecord[],
): Promise<void> {
  const step = 'search';
  for (const { id, title, authorId } of records) {
    const words = title.split(/[^\p{L}\p{N}.]+/u).filter(Boolean);
    const q = words.slice(0, SEARCHED_WORDS).join(' ') || title;
    const query = new URLSearchParams({ q, author: authorId, limit: '100' }).toString();
    const { data } = await client.call<SearchPage>(step, 'GET', `/blogs/search?${query}`);
    const found = data.items.find((item) => item._id === id);
    const isMarked = found?.highlights.title.ranges.length !== 0;
    recorder.check(step, found !== undefined && isMarked, `"${title}" is not found by "${q}"`);
  }
}

interface AuthorPage {
  readonly _id: string;
  readonly blogs: number;
}

/** Checks what a static site is built from: lists with texts, the tags with their counts, and the author. */
export async function readForSite(
  { client, recorder }: Run,
  records: readonly BlogRecord[],
  authorId: string,
): Promise<void> {
  const textsPath = `/blogs/author/id/${authorId}?include=text&limit=20&order=oldest`;
  const { data } = await client.call<PublicBlog[]>('list with texts', 'GET', textsPath);
  const texts = data.map(({ text }) => text);
  const expected = records.slice(0, 20).map(({ text }) => text);
  recorder.check('list with texts', sameList(texts, expected), 'not the texts, the oldest first');

  const tagged = Map.groupBy(
    records.flatMap(({ tags }) => [...new Set(tags.map(tagKey))]),
    String,
  );
  for (const [key, { length }] of tagged) {
    const path = `/tags?prefix=${encodeURIComponent(key)}&order=name&limit=1`;
    const { data: tags } = await client.call<{ tag: string; count: number }[]>('tags', 'GET', path);
    const [first] = tags;
    // Other articles may have it as well.
    const isCounted = first && tagKey(first.tag) === key && first.count >= length;
    recorder.check('tags', Boolean(isCounted), `"${key}" is listed as ${JSON.stringify(first)}`);
  }
  const author = await client.call<AuthorPage>('author', 'GET', `/authors/id/${authorId}`);
  const isWhole = author.data._id === authorId && author.data.blogs === records.length;
  recorder.check('author', isWhole, `has ${author.data.blogs} articles, not ${records.length}`);
}

/** Finds the article that was published last in each feed, if the server knows the site's URL. */
export async function readFeeds(
  { client, recorder }: Run,
  records: readonly BlogRecord[],
): Promise<void> {
  const step = 'read feeds';
  const newest = records.at(-1);
  for (const path of ['/feeds/rss.xml', '/feeds/atom.xml', '/feeds/feed.json']) {
    const { status, message, data } = await client.call<string>(step, 'GET', path, {
      alsoAllow: 404,
    });
    if (status === 404) recorder.check(step, message.includes('SITE_URL'), `${path}: ${message}`);
    else if (newest) recorder.check(step, data.includes(newest.id), `${path} lacks the newest`);
  }
}

/** Pages through the list of every tag that one of the records has. */
export async function walkTags(run: Run, records: readonly ListedRecord[]): Promise<void> {
  const tagged = new Map<string, ListedRecord[]>();
  for (const record of records) {
    for (const key of record.tags.map(tagKey)) {
      tagged.set(key, [...(tagged.get(key) ?? []), record]);
    }
  }
  for (const [key, expected] of tagged) {
    await walk(run, 'list by tag', `/blogs/tag/${encodeURIComponent(key)}`, expected);
  }
}

/**
 * Pages through a list until it has shown every record, and compares each.
 *
 * @returns the items by id, in the order of the list
 */
export async function walk(
  { client, recorder }: Run,
  step: string,
  path: string,
  records: readonly ListedRecord[],
): Promise<Map<string, ListItem>> {
  const items = new Map<string, ListItem>();
  const missing = new Set(records.map(({ id }) => id));
  for (let page = 1; missing.size > 0 && page <= MAX_PAGES; page += 1) {
    const list = `${path}?page=${page}&limit=${PAGE_SIZE}`;
    const { data } = await client.call<ListItem[]>(step, 'GET', list);
    for (const item of data) {
      items.set(item._id, item);
      missing.delete(item._id);
    }
    if (data.length === 0) break;
  }
  for (const record of records) {
    const item = items.get(record.id);
    const problem = item ? differenceOf(item, record) : 'is missing';
    recorder.check(step, problem === null, `"${record.title}" in ${path}: ${problem}`);
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
