import type { Run } from '../client.ts';
import type { People } from '../people.ts';
import { flagsOf, type BlogRecord, type EditorialBlog } from '../publishing.ts';
import { readOne, type ListItem } from '../reading.ts';
import { readRevisions } from './revisions.ts';

/** Soon, so that the article is on the first page of what is scheduled; at least a minute is required. */
const AHEAD_MS = 120_000;

/** The editor corrects what is in review, takes it on, schedules it, and publishes it at once instead. */
export async function correctAndPublish(
  run: Run,
  people: People,
  record: BlogRecord,
): Promise<void> {
  await correct(run, people, record);
  await assign(run, people, record);
  await scheduleAndUnschedule(run, people, record);
  const { author, editor } = people;
  const path = `/blog/editor/publish/id/${record.id}`;
  await run.client.call('publish', 'PUT', path, { as: editor.tokens });
  await readOne(run, record);
  await readRevisions(run, author, 'author', record, 'publish correct submit submit');
}

async function correct(
  { client, recorder }: Run,
  { editor }: People,
  record: BlogRecord,
): Promise<void> {
  const step = 'correct what is in review';
  const path = `/blog/editor/id/${record.id}`;
  const title = `${record.title} (corrected)`;
  const asEditor = { as: editor.tokens };
  await client.call('correct without If-Match (428)', 'PUT', path, {
    ...asEditor,
    body: { title },
    expect: 428,
  });
  const { etag } = await client.call(step, 'GET', path, asEditor);
  const { data } = await client.call<EditorialBlog>(step, 'PUT', path, {
    ...asEditor,
    body: { title },
    headers: { 'if-match': etag },
  });
  const isCorrected = data.title === title && flagsOf(data) === 'submitted';
  recorder.check(step, isCorrected, `the editor sees "${data.title}", ${flagsOf(data)}`);
  record.title = title;
}

async function assign(
  { client, recorder }: Run,
  { editor }: People,
  { id }: BlogRecord,
): Promise<void> {
  const step = 'assign';
  const asEditor = { as: editor.tokens };
  const path = `/blog/editor/assign/id/${id}`;
  await client.call(step, 'PUT', path, { ...asEditor, body: { editor: editor.id } });
  const list = '/blog/editor/submitted?assigned=me';
  const { data } = await client.call<ListItem[]>(step, 'GET', list, asEditor);
  const isListed = data.length === 1 && data[0]?._id === id;
  recorder.check(step, isListed, `${data.length} articles are assigned to the editor`);
}

async function scheduleAndUnschedule(
  run: Run,
  { editor }: People,
  { id }: BlogRecord,
): Promise<void> {
  const { client, recorder } = run;
  const step = 'schedule, unschedule';
  const asEditor = { as: editor.tokens };
  const publishAt = new Date(Date.now() + AHEAD_MS).toISOString();
  const scheduledAt = async (): Promise<string | undefined> => {
    const list = '/blog/editor/scheduled?limit=100';
    type Scheduled = ListItem & { readonly publishAt: string };
    const { data } = await client.call<Scheduled[]>(step, 'GET', list, asEditor);
    return data.find(({ _id }) => _id === id)?.publishAt;
  };
  const path = `/blog/editor/schedule/id/${id}`;
  await client.call(step, 'PUT', path, { ...asEditor, body: { publishAt } });
  const listed = await scheduledAt();
  recorder.check(step, listed === publishAt, `it is listed for ${listed}, expected ${publishAt}`);
  await client.call(step, 'PUT', `/blog/editor/unschedule/id/${id}`, asEditor);
  const left = await scheduledAt();
  recorder.check(step, left === undefined, `it is still listed, for ${left}`);
}
