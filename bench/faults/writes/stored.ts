import type mongoose from 'mongoose';
import { isInTime } from '../../support/timing.ts';
import { untilAnswered, type Client } from '../testbed/client.ts';

const EVENTS_A_PAGE = 100;
const SETTLE_MS = 90_000;

interface StoredTransition {
  readonly move: string;
  readonly rev: number;
}

export interface StoredBlog {
  readonly rev: number;
  readonly draftText: string;
  /** The transitions, in their order. */
  readonly events: readonly StoredTransition[];
  readonly revisions: readonly StoredTransition[];
}

/** An event as `GET /admin/events` lists it. */
export interface LoggedEvent {
  readonly seq: number;
  readonly id: string;
  readonly type: string;
  readonly data: { readonly _id: string; readonly rev: number };
}

/** The relevant records of the database after all faults. */
export interface Stored {
  readonly blogs: ReadonlyMap<string, StoredBlog>;
  /** Number of records with each title, message and comment. */
  readonly counts: ReadonlyMap<string, number>;
  readonly events: readonly LoggedEvent[];
}

/**
 * Reads the stored records once the event log is complete.
 * @param client client of a server
 * @param token token of an admin
 */
export async function readStored(
  database: mongoose.mongo.Db,
  client: Client,
  token: string,
): Promise<Stored> {
  await untilRelayed(database);
  const blogs = await database.collection('blogs').find().toArray();
  const relayed = await database.collection('blog_events').find().sort({ _id: 1 }).toArray();
  const relayedByBlog = Map.groupBy(relayed, ({ _id }) => String((_id as unknown as EventId).blog));
  return {
    blogs: new Map(blogs.map((blog) => [String(blog._id), toBlog(blog, relayedByBlog)])),
    counts: countsOf([
      ...blogs.map(({ title }) => String(title)),
      ...(await textsOf(database, 'messages', 'msg')),
      ...(await textsOf(database, 'blog_comments', 'text')),
    ]),
    events: await allEvents(client, token),
  };
}

interface EventId {
  readonly blog: unknown;
  readonly rev: number;
}

type Records = ReadonlyMap<string, readonly mongoose.mongo.Document[]>;

function toBlog(blog: mongoose.mongo.Document, relayedByBlog: Records): StoredBlog {
  const relayed = (relayedByBlog.get(String(blog['_id'])) ?? []).map(({ _id, move }) => ({
    move: String(move),
    rev: (_id as EventId).rev,
  }));
  const outbox = (blog['events'] as StoredTransition[]).map(({ move, rev }) => ({ move, rev }));
  return {
    rev: Number(blog['rev']),
    draftText: String(blog['draftText']),
    events: [...relayed, ...outbox].sort((one, other) => one.rev - other.rev),
    revisions: blog['revisions'] as StoredTransition[],
  };
}

/** Waits until the outbox relay has removed all events from the blogs: it does so once they are in the event log. */
async function untilRelayed(database: mongoose.mongo.Db): Promise<void> {
  const blogs = database.collection('blogs');
  const isRelayed = async () =>
    (await blogs.countDocuments({ 'events.0': { $exists: true } })) === 0;
  await isInTime(isRelayed, { withinMs: SETTLE_MS, everyMs: 100 });
}

async function textsOf(database: mongoose.mongo.Db, name: string, field: string) {
  const records = await database
    .collection(name)
    .find()
    .project({ [field]: 1 })
    .toArray();
  return records.map((record) => String(record[field]));
}

function countsOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** @returns all events of the event log */
export async function allEvents(client: Client, token: string): Promise<LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  for (;;) {
    const after = events.at(-1)?.seq ?? 0;
    const path = `/admin/events?limit=${EVENTS_A_PAGE}&after=${after}`;
    const { data } = await untilAnswered(() => client, { path, token });
    const page = data as unknown as LoggedEvent[];
    events.push(...page);
    if (page.length === 0) return events;
  }
}
