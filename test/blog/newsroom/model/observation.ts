import type { Client } from '../../../support/client.js';
import { authorView, contentView, editorView, publicView } from './views.js';
import {
  isGone,
  isInReview,
  isKnownToEditors,
  isLive,
  type ModelBlog,
  type Who,
  type World,
} from './world.js';

/** What each read returns of a blog, by the name of the read; null if the read finds nothing. */
type Observation = Readonly<Record<string, unknown>>;

type View = Readonly<Record<string, unknown>>;

/** A read of a blog, and what the model expects of it. */
interface Read {
  readonly as: (blog: ModelBlog) => Who;
  readonly path: (blog: ModelBlog) => string;
  /** @returns null if the read must find nothing */
  readonly expected: (world: World, blog: ModelBlog) => unknown;
}

const asOwner = ({ author }: ModelBlog): Who => author;
const asEditor = (): Who => 'cleo';
const undeleted =
  (expected: Read['expected']): Read['expected'] =>
  (world, blog) =>
    isGone(blog) ? null : expected(world, blog);
const known =
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

const history: Read['expected'] = ({ people }, blog) =>
  blog.history.toReversed().map(({ move: transition, by, rev }) => ({
    move: transition,
    rev,
    // The model has no user for transitions of the admin.
    ...(by ? { by: people[by] } : {}),
  }));

const READS: Readonly<Record<string, Read>> = {
  author: {
    as: asOwner,
    path: ({ _id }) => `/blog/author/id/${_id}`,
    expected: undeleted(authorView),
  },
  editor: {
    as: asEditor,
    path: ({ _id }) => `/blog/editor/id/${_id}`,
    expected: (world, blog) => (isInReview(blog) || isLive(blog) ? editorView(world, blog) : null),
  },
  public: {
    as: asEditor,
    path: ({ _id }) => `/blog/id/${_id}`,
    expected: (world, blog) => blog.live && publicView(world, blog, blog.live),
  },
  "the author's revisions": {
    as: asOwner,
    path: ({ _id }) => `/blog/author/revisions/id/${_id}?limit=100`,
    expected: undeleted(revisions),
  },
  "the editors' revisions": {
    as: asEditor,
    path: ({ _id }) => `/blog/editor/revisions/id/${_id}?limit=100`,
    expected: known(revisions),
  },
  'the latest revision': {
    as: asOwner,
    path: ({ _id, revisions: kept }) => `/blog/author/revisions/id/${_id}/${kept.at(-1)?.rev ?? 0}`,
    expected: undeleted((_, blog) => {
      const latest = blog.revisions.at(-1);
      return latest ? contentView(latest.content) : null;
    }),
  },
  history: {
    as: asOwner,
    path: ({ _id }) => `/blog/author/history/id/${_id}?limit=100`,
    expected: undeleted(history),
  },
};

export const READ_NAMES = Object.keys(READS);

/** These reads together show all that the model knows of a blog; the other reads repeat parts of it. */
export const WHOLE = ['author', 'editor', 'public', 'history', "the author's revisions"];

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
    const { as, path } = READS[name] as Read;
    const { status, body } = await clients[as(blog)].get<unknown>(path(blog));
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
