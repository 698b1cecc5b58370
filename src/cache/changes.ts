/** What an entry in memory may depend on. */
export type Subject = 'blog' | 'author' | 'api key' | 'session' | 'user' | 'role';

/** Something that is no longer as it was; `id: null` stands for all of its kind. */
export interface Change {
  readonly of: Subject;
  /** 24 hexadecimal digits. */
  readonly id: string | null;
}

/** What is filled and invalidated together: each area counts its own generation. */
export type Area = 'articles' | 'lists' | 'keys' | 'accounts';

/** The areas that a change concerns. Lists name no author. */
export const AREAS_OF: Readonly<Record<Subject, readonly Area[]>> = {
  blog: ['articles', 'lists'],
  author: ['articles'],
  'api key': ['keys'],
  session: ['accounts'],
  user: ['accounts'],
  role: ['accounts'],
};

export const EVERYTHING: readonly Change[] = (Object.keys(AREAS_OF) as Subject[]).map((of) => ({
  of,
  id: null,
}));

/** A change of one record, as the change stream reports it. */
export interface RecordEvent {
  readonly collection: string;
  readonly operation: 'insert' | 'update' | 'replace' | 'delete';
  readonly id: string;
  /** Paths that an update has set, removed or shortened, such as `live.tags`; else empty. */
  readonly paths: readonly string[];
}

/** A filter over the events of a collection, with the fields that the change feed gives them. */
type EventFilter = Readonly<Record<string, unknown>>;

interface Rule {
  /** What concerns nothing in memory stays in the database: every process gets every event. */
  readonly reported: EventFilter;
  readonly changesOf: (event: RecordEvent) => readonly Change[];
}

/** What readers see of a blog; the fields of its working copy are nobody else's business. */
const PUBLIC_FIELDS = ['live', 'text', 'published', 'status', 'author', 'score', 'htmlVersion'];

/** Which changes of the database concern what is in memory: by collection. */
const RULES: Readonly<Record<string, Rule>> = {
  blogs: {
    reported: {
      $or: [
        // A draft that was inserted is in no list, and nothing can have been remembered of it.
        { operationType: 'insert', isLive: true },
        { operationType: 'update', paths: within(PUBLIC_FIELDS) },
        { operationType: { $nin: ['insert', 'update'] } },
      ],
    },
    changesOf: ({ id }) => [{ of: 'blog', id }],
  },
  users: {
    reported: {},
    changesOf: ({ id, operation, paths }) => [
      { of: 'user', id },
      ...(operation !== 'update' || paths.includes('name') ? [{ of: 'author', id } as const] : []),
    ],
  },
  roles: {
    // `guard` is a counter of ours.
    reported: {
      $or: [{ operationType: { $ne: 'update' } }, { paths: within(['code', 'status']) }],
    },
    // Four records that everybody's rights depend on.
    changesOf: () => [{ of: 'role', id: null }],
  },
  api_keys: {
    // What the server writes by itself decides nothing.
    reported: {
      $or: [
        { operationType: { $ne: 'update' } },
        { paths: { $elemMatch: { $nin: ['lastUsedAt', 'updatedAt'] } } },
      ],
    },
    changesOf: ({ id }) => [{ of: 'api key', id }],
  },
  sessions: {
    // Nothing is remembered of a session that does not exist.
    reported: { operationType: { $ne: 'insert' } },
    changesOf: ({ id }) => [{ of: 'session', id }],
  },
};

export const WATCHED_COLLECTIONS: readonly string[] = Object.keys(RULES);

/** Matches those events of the watched collections that concern what is in memory. */
export const REPORTED: EventFilter = {
  $or: Object.entries(RULES).map(([collection, { reported }]) => ({
    'ns.coll': collection,
    ...reported,
  })),
};

/** What a change of a record means for what is in memory. */
export function changesOf(event: RecordEvent): readonly Change[] {
  return RULES[event.collection]?.changesOf(event) ?? [];
}

/** Paths of which one is such a field, or in it. */
function within(fields: readonly string[]): object {
  return { $regex: `^(${fields.join('|')})(\\.|$)` };
}
