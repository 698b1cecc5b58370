import type { Run } from '../client.ts';
import type { People } from '../people.ts';
import { flagsOf, type BlogRecord } from '../publishing.ts';
import { readOne } from '../reading.ts';
import { readRevisions } from './revisions.ts';

/**
 * Milliseconds until the scheduled time. The server requires at least a minute; a short time puts the article on the
 * first page of the schedule.
 */
const AHEAD_MS = 120_000;

/**
 * The editor corrects the article in review, assigns it to themselves, schedules it, removes the schedule, and
 * publishes it.
 */
export async function correctAndPublish(
  run: Run,
  people: People,
  record: BlogRecord,
): Promise<void> {
  await correct(run, people, record);
  await assign(run, people, record);
  await scheduleAndUnschedule(run, people, record);
  const { author, editor } = people;
  const asEditor = { as: editor.session, path: { id: record.id } };
  await run.client.call('publish', 'PUT', '/blog/editor/publish/id/{id}', asEditor);
  await readOne(run, record);
  await readRevisions(run, author, 'author', record, 'publish correct submit submit');
}

async function correct(
  { client, recorder }: Run,
  { editor }: People,
  record: BlogRecord,
): Promise<void> {
  const step = 'correct what is in review';
  const asEditor = { as: editor.session, path: { id: record.id } };
  const title = `${record.title} (corrected)`;
  const correction = { ...asEditor, body: { title } };
  const noIfMatch = { ...correction, expect: 428 };
  // @ts-expect-error The client knows that ifMatch is required.
  await client.call('correct without If-Match (428)', 'PUT', '/blog/editor/id/{id}', noIfMatch);
  const { etag = '' } = await client.call(step, 'GET', '/blog/editor/id/{id}', asEditor);
  const { data } = await client.call(step, 'PUT', '/blog/editor/id/{id}', {
    ...correction,
    ifMatch: etag,
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
  const as = editor.session;
  const body = { editor: editor.id };
  await client.call(step, 'PUT', '/blog/editor/assign/id/{id}', { as, path: { id }, body });
  const query = { assigned: 'me' } as const;
  const { data } = await client.call(step, 'GET', '/blog/editor/submitted', { as, query });
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
  const as = editor.session;
  const path = { id };
  const publishAt = new Date(Date.now() + AHEAD_MS).toISOString();
  const scheduledAt = async (): Promise<string | undefined> => {
    const query = { limit: 100 };
    const { data } = await client.call(step, 'GET', '/blog/editor/scheduled', { as, query });
    return data.find(({ _id }) => _id === id)?.publishAt;
  };
  const body = { publishAt };
  await client.call(step, 'PUT', '/blog/editor/schedule/id/{id}', { as, path, body });
  const listed = await scheduledAt();
  recorder.check(step, listed === publishAt, `it is listed for ${listed}, expected ${publishAt}`);
  await client.call(step, 'PUT', '/blog/editor/unschedule/id/{id}', { as, path });
  const listedAfter = await scheduledAt();
  recorder.check(step, listedAfter === undefined, `it is still listed, for ${listedAfter}`);
}
