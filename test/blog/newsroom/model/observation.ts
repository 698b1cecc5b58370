import type { Client } from '../../../support/client.js';
import { authorView, contentView, editorView, publicView } from './views.js';
import {
  isGone,
  isKnownToEditors,
  isSeenByEditors,
  type ModelBlog,
  type Who,
  type World,
} from './world.js';

/** What each read returns of a blog, by the name of the read; null if the read finds nothing. */
type Observation = Readonly<Record<string, unknown>>;

type View = Readonly<Record<string, unknown>>;

/** A read of a blog, and what the model expects of it. */
interface Read {
  readonly caller: (blog: ModelBlog) => Who;
  readonly path: (blog: ModelBlog) => string;
  /** @returns null if the read must find nothing */
  readonly expected: (world: World, blog: ModelBlog) => unknown;
}

const authorOf = ({ author }: ModelBlog): Who => author;
const anEditor = (): Who => 'cleo';
const unlessGone =
  (expected: Read['expected']): Read['expected'] =>
  (world, blog) =>
    isGone(blog) ? null : expected(world, blog);
const ifKnownToEditors =
  (expected: Read['expected']): Read['expected'] =>
  (world, blog) =>
    isKnownToEditors(blog) ? expected(world, blog) : null;

const revisions: Read['expected'] = ({ people }, blog) =>
  blog.revisions.toReversed().map(({ rev, move: transition, by, content }) => ({
    rev,
    move: transition,
    by: people[by],
    title: contentView(content)['title'],
  }));

const history: Read['expected'] = (world, blog) => historyUpTo(world, blog, blog.rev);

/** The transitions up to the one after which editors did not see the blog any more. */
const editorsHistory: Read['expected'] = (world, blog) =>
  historyUpTo(world, blog, isSeenByEditors(blog) ? blog.rev : blog.lastSeenRev);

const historyUpTo = ({ people }: World, blog: ModelBlog, last: number): View[] =>
  blog.history
    .filter(({ rev }) => rev <= last)
    .toReversed()
    .map(({ move: transition, by, rev }) => ({
      move: transition,
      rev,
      // The model has no user for transitions of the admin.
      ...(by ? { by: people[by] } : {}),
    }));

const READS: Readonly<Record<string, Read>> = {
  author: {
    caller: authorOf,
    path: ({ _id }) => `/blog/author/id/${_id}`,
    expected: unlessGone(authorView),
  },
  editor: {
    caller: anEditor,
    path: ({ _id }) => `/blog/editor/id/${_id}`,
    expected: (world, blog) => (isSeenByEditors(blog) ? editorView(world, blog) : null),
  },
  public: {
    caller: anEditor,
    path: ({ _id }) => `/blog/id/${_id}`,
    expected: (world, blog) => blog.live && publicView(world, blog, blog.live),
  },
  "the author's revisions": {
    caller: authorOf,
    path: ({ _id }) => `/blog/author/revisions/id/${_id}?limit=100`,
    expected: unlessGone(revisions),
  },
  "the editors' revisions": {
    caller: anEditor,
    path: ({ _id }) => `/blog/editor/revisions/id/${_id}?limit=100`,
    expected: ifKnownToEditors(revisions),
  },
  'the latest revision': {
    caller: authorOf,
    path: ({ _id, revisions: kept }) => `/blog/author/revisions/id/${_id}/${kept.at(-1)?.rev ?? 0}`,
    expected: unlessGone((_, blog) => {
      const latest = blog.revisions.at(-1);
      return latest ? contentView(latest.content) : null;
    }),
  },
  history: {
    caller: authorOf,
    path: ({ _id }) => `/blog/author/history/id/${_id}?limit=100`,
    expected: unlessGone(history),
  },
  "the editors' history": {
    caller: anEditor,
    path: ({ _id }) => `/blog/editor/history/id/${_id}?limit=100`,
    expected: ifKnownToEditors(editorsHistory),
  },
};

export const READ_NAMES = Object.keys(READS);

/** The reads by which a blog is compared with the model; the other reads show little that these do not. */
export const COMPARED_READS = [
  'author',
  'editor',
  'public',
  'history',
  "the author's revisions",
  "the editors' history",
];

export function expectedObservation(
  world: World,
  blog: ModelBlog,
  names: readonly string[],
): Observation {
  return Object.fromEntries(names.map((name) => [name, READS[name]?.expected(world, blog)]));
}

/** @param expected names the reads to send, and the members of their records to return */
export async function observe(
  clients: Readonly<Record<Who, Client>>,
  blog: ModelBlog,
  expected: Observation,
): Promise<Observation> {
  const observed = Object.entries(expected).map(async ([name, value]) => {
    const { caller, path } = READS[name] as Read;
    const { status, body } = await clients[caller(blog)].get<unknown>(path(blog));
    if (status === 404) return [name, null];
    return [name, onlyMembersOf(value, body.data)];
  });
  return Object.fromEntries(await Promise.all(observed));
}

/** Reduces a record, or each item of a list, to the members that the expected value has. */
export function onlyMembersOf(expected: unknown, actual: unknown): unknown {
  if (Array.isArray(actual) && Array.isArray(expected)) {
    return actual.map((item, index) => onlyMembersOf(expected[index] ?? expected[0] ?? item, item));
  }
  if (!isRecord(expected) || !isRecord(actual)) return actual;
  return Object.fromEntries(
    Object.keys(expected).map((name) => [name, onlyMembersOf(expected[name], actual[name])]),
  );
}

function isRecord(value: unknown): value is View {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
