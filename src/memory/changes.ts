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
  /** Of an inserted blog: whether readers can see it. */
  readonly isLive: boolean;
}

type Rule = (event: RecordEvent) => readonly Change[];

/** What readers see of a blog; the fields of its working copy are nobody else's business. */
const PUBLIC_FIELDS = ['live', 'text', 'published', 'status', 'author', 'score', 'htmlVersion'];

/** What the server writes by itself, and what decides nothing. */
const UNIMPORTANT_KEY_FIELDS = ['lastUsedAt', 'updatedAt'];

/** Which changes of the database concern what is in memory: by collection. */
const RULES: Readonly<Record<string, Rule>> = {
  blogs: (event) => {
    // A draft that was inserted is in no list, and nothing can have been remembered of it.
    const counts = event.operation === 'insert' ? event.isLive : touches(event, PUBLIC_FIELDS);
    return counts ? [{ of: 'blog', id: event.id }] : [];
  },
  users: (event) => [
    { of: 'user', id: event.id },
    ...(touches(event, ['name']) ? [{ of: 'author', id: event.id } as const] : []),
  ],
  // Four records that everybody's rights depend on. `guard` is a counter of ours.
  roles: (event) => (touches(event, ['code', 'status']) ? [{ of: 'role', id: null }] : []),
  api_keys: (event) =>
    event.paths.length > 0 && event.paths.every((path) => UNIMPORTANT_KEY_FIELDS.includes(path))
      ? []
      : [{ of: 'api key', id: event.id }],
  // Nothing is remembered of a session that does not exist.
  sessions: (event) => (event.operation === 'insert' ? [] : [{ of: 'session', id: event.id }]),
};

export const WATCHED_COLLECTIONS: readonly string[] = Object.keys(RULES);

/** What a change of a record means for what is in memory. */
export function changesOf(event: RecordEvent): readonly Change[] {
  return RULES[event.collection]?.(event) ?? [];
}

/** An insert, a replacement and a deletion concern all fields. */
function touches({ operation, paths }: RecordEvent, fields: readonly string[]): boolean {
  if (operation !== 'update') return true;
  return paths.some((path) => fields.includes(path.split('.')[0] ?? ''));
}
