import { setTimeout as wait } from 'node:timers/promises';
import type { Data } from '../../../client/src/index.ts';
import type { Run } from '../client.ts';
import type { People } from '../people.ts';
import type { BlogRecord } from '../publishing.ts';

/** The articles whose transitions the event log must contain. */
export interface ChangedRecords {
  readonly edited: BlogRecord | undefined;
  readonly unpublished: BlogRecord | undefined;
  readonly removed: BlogRecord | undefined;
}

const LIMIT = 100;

/** Milliseconds to wait for the events of the last transitions, which another process may have to add to the log. */
const PATIENCE_MS = 15_000;

/** The admin reads the event log, which must have the events of the changed articles. */
export async function readEvents(
  { client, recorder }: Run,
  { admin }: People,
  { edited, unpublished, removed }: ChangedRecords,
): Promise<void> {
  const step = 'events';
  const expected = [
    [edited, 'blog.updated'],
    [unpublished, 'blog.unpublished'],
    [removed, 'blog.deleted'],
  ] as const;
  const events: Data<'GET', '/admin/events'> = [];
  const isLogged = (id: string, type: string): boolean =>
    events.some((event) => event.type === type && event.data._id === id);
  const missing = (): string[] =>
    expected.flatMap(([record, type]) =>
      record && !isLogged(record.id, type) ? [`${type} of "${record.title}"`] : [],
    );
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const last = events.at(-1);
    const query = { limit: LIMIT, ...(last ? { after: last.seq } : {}) };
    const { data } = await client.call(step, 'GET', '/admin/events', { as: admin, query });
    events.push(...data);
    if (data.length === LIMIT) continue;
    if (missing().length === 0 || performance.now() > deadline) break;
    await wait(100);
  }
  recorder.check(step, missing().length === 0, `the log lacks ${missing().join(', ')}`);
  const isWhole = events.every(({ seq }, index) => seq === (events[0]?.seq ?? 0) + index);
  recorder.check(step, isWhole, 'the numbers have gaps');
}
