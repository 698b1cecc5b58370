import type { Types } from 'mongoose';
import {
  creationTime,
  storedText,
  storedTime,
} from '../../../platform/database/migrations/stored-values.js';
import type { StoredRecord } from '../../../platform/database/migrations/update-records.js';
import type { BlogState } from '../blog.state.js';
import { derivedFrom, LIVE_FIELDS, ruleOf, type BlogFieldRule } from '../blog-fields.js';
import { liveSlug } from './slug-claims.js';

/** The live fields that every blog has, except the slug, which SlugClaims decides. */
export const PLAIN_FIELDS = LIVE_FIELDS.filter(
  (name) => name !== 'slug' && ruleOf(name).presence !== 'optional',
);

/** A live version as this version would have stored it. */
export interface Live {
  readonly at: Date;
  readonly slug: string;
  readonly updatedAt?: unknown;
  readonly readingMinutes?: unknown;
  readonly words?: unknown;
}

/**
 * The live version. In the states "live with draft" and "live in review" a stored live version is kept,
 * since the working copy may differ from it. Otherwise the live version is made from the working copy.
 */
export function liveOf(
  blog: StoredRecord,
  state: BlogState,
  copy: Readonly<Record<string, unknown>> & {
    readonly slug: string;
    readonly readingMinutes: number;
    readonly pictures?: readonly Types.ObjectId[];
  },
  resolve: (slug: string) => string,
): Live {
  const stored = blog['live'];
  // The words are kept as they are: the migration of the search updates them.
  const words = isLive(stored) && stored.words !== undefined ? { words: stored.words } : {};
  if (state !== 'live' && isLive(stored)) {
    const { readingMinutes, pictures } = copy;
    const updatedAt = storedTime(stored.updatedAt) ?? latestPublication(blog) ?? stored.at;
    const slug = resolve(liveSlug(blog) ?? stored.slug);
    const shown = pictures ? { pictures } : {};
    return { ...stored, ...wordsOf(stored), slug, updatedAt, readingMinutes, ...shown };
  }
  const at = storedTime(blog['publishedAt']) ?? storedTime(blog['updatedAt']) ?? creationTime(blog);
  const updatedAt =
    (isLive(stored) ? storedTime(stored.updatedAt) : null) ??
    latestPublication(blog) ??
    // In the state "live" nothing has changed since the publication, so the latest change was the
    // publication.
    storedTime(blog['updatedAt']) ??
    at;
  return { at, updatedAt, ...copy, ...words };
}

/** The time of the latest publication among the revisions that the blog keeps. */
function latestPublication({ revisions }: StoredRecord): Date | null {
  const entries: readonly unknown[] = Array.isArray(revisions) ? revisions : [];
  const publications = entries.filter(
    (entry): entry is { at: unknown } => (entry as { move?: unknown } | null)?.move === 'publish',
  );
  return storedTime(publications.at(-1)?.at);
}

function isLive(value: unknown): value is Live {
  const { at, slug } = (value ?? {}) as Partial<Record<keyof Live, unknown>>;
  return storedTime(at) !== null && typeof slug === 'string';
}

/** The fields that are derived from the plain fields of a live version that is kept. */
function wordsOf(live: object): Record<string, unknown> {
  const stored = live as Readonly<Record<string, unknown>>;
  const fields = PLAIN_FIELDS.filter((name) => name in stored);
  return Object.fromEntries(
    fields.flatMap((name) =>
      Object.entries(derivedFrom(name, plainValue(ruleOf(name).kind, stored[name]), 0)),
    ),
  );
}

/** The value of a plain field that a record may hold in another form. */
export function plainValue(kind: BlogFieldRule['kind'], stored: unknown): string | string[] {
  if (kind !== 'tags') return storedText(stored) ?? '';
  const tags: readonly unknown[] = Array.isArray(stored) ? stored : [];
  return tags.filter((tag) => typeof tag === 'string');
}
