import { Types } from 'mongoose';
import {
  creationTime,
  storedId,
  storedText,
  storedTime,
} from '../../database/migrations/stored-values.js';
import type { StoredRecord } from '../../database/migrations/update-records.js';
import { BLOG_STATES, stateOf, type BlogFlags, type BlogState } from '../blog.state.js';
import type { RecordState } from '../events/blog-event.schema.js';
import { cleanHtml, HTML_VERSION } from '../html/clean-html.js';
import {
  DERIVED_NAMES,
  FIELD_NAMES,
  LIVE_FIELDS,
  ruleOf,
  type BlogFieldRule,
} from '../blog-fields.js';
import { INITIAL_SCORE } from '../blog.schema.js';
import { derivedFrom } from '../working-copy.js';
import { workingSlug, type SlugClaims } from './slug-claims.js';

/** Everything that `blogShape` reads or names. */
export const RECORD_FIELDS: readonly string[] = [
  ...FIELD_NAMES,
  ...DERIVED_NAMES,
  'text',
  'publishedAt',
  'live',
  'slugs',
  'submitted',
  'drafted',
  'published',
  'status',
  'deletedAt',
  'author',
  'createdBy',
  'score',
  'rev',
  'createdAt',
  'updatedAt',
];

/** The live fields that every blog has; the slug is decided apart. */
const PLAIN_FIELDS = LIVE_FIELDS.filter(
  (name) => name !== 'slug' && ruleOf(name).presence !== 'optional',
);

const OPTIONAL_FIELDS = LIVE_FIELDS.filter((name) => ruleOf(name).presence === 'optional');

/** Go's zero ObjectId: an author whom nobody is, and who is shown as a former one. */
export const NOBODY = new Types.ObjectId('0'.repeat(24));

const NO_FLAG: BlogFlags = { submitted: false, drafted: false, published: false };

export interface LostSlug {
  readonly wanted: string;
  readonly given: string;
  readonly keeper: string;
}

/** A blog as this version would have stored it. */
export interface BlogShape {
  /** The state that its flags say, before they are brought into shape. */
  readonly storedState: RecordState;
  /** null: deleted. */
  readonly state: BlogState | null;
  /** The fields that this version stores; all others stay as they are. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Slugs that another blog keeps. */
  readonly lostSlugs: readonly LostSlug[];
}

/**
 * The shape of a stored blog, whichever server or hand wrote it. A blog that has its shape is left as
 * it is.
 */
export function blogShape(blog: StoredRecord, claims: SlugClaims): BlogShape {
  const texts = textsOf(blog);
  const state = stateOfStored(blog, texts);
  const storedState = blog['status'] === false ? 'deleted' : stateOf(flagsOf(blog));
  const plain = plainFieldsOf(blog);
  const common = { ...texts, ...plain, ...recordFields(blog) };
  if (state === null) {
    return { storedState, state, fields: { ...common, ...deletedFields(blog) }, lostSlugs: [] };
  }
  const lostSlugs = new Map<string, LostSlug>();
  const resolve = (wanted: string): string => {
    const { slug: given, keeper } = claims.resolve(String(blog._id), wanted);
    if (keeper !== null) lostSlugs.set(wanted, { wanted, given, keeper });
    return given;
  };
  const slug = resolve(workingSlug(blog).slug);
  const copy = { ...plain, slug, ...optionalFieldsOf(blog) };
  const live = BLOG_STATES[state].published ? liveOf(blog, state, copy, resolve) : null;
  return {
    storedState,
    state,
    fields: {
      ...common,
      ...BLOG_STATES[state],
      status: true,
      slug,
      slugs: sameMembers(blog['slugs'], [...new Set([slug, ...(live ? [live.slug] : [])])]),
      ...publicationOf(blog, live?.at ?? null),
      ...(live ? { live } : {}),
    },
    lostSlugs: [...lostSlugs.values()],
  };
}

interface Texts {
  readonly draftText: string;
  readonly text?: string;
  readonly htmlVersion: number;
}

/**
 * Both texts, cleaned. Of a public blog the missing one is filled from the other; but a draft that
 * waits beside a public blog was never published, and must not become so here.
 */
function textsOf(blog: StoredRecord): Texts {
  const { submitted, drafted, published } = flagsOf(blog);
  const storedDraft = storedText(blog['draftText']);
  const stored = storedText(blog['text']);
  const draftText = storedDraft ?? stored ?? '';
  const substitute = submitted || drafted ? '' : draftText;
  const text = stored ?? (published ? substitute : null);
  const clean = blog['htmlVersion'] === HTML_VERSION ? (html: string) => html : cleanHtml;
  const cleanDraft = clean(draftText);
  return {
    draftText: cleanDraft,
    ...(text === null ? {} : { text: text === draftText ? cleanDraft : clean(text) }),
    htmlVersion: HTML_VERSION,
  };
}

/** Submitted outranks drafted: the older server's submit left both. */
function stateOfStored(blog: StoredRecord, { draftText, text }: Texts): BlogState | null {
  if (blog['status'] === false) return null;
  const state = stateOf(flagsOf(blog));
  return state === 'live' && draftText !== text ? 'live with draft' : state;
}

function flagsOf(blog: StoredRecord): BlogFlags {
  const is = (flag: keyof BlogFlags) => blog['status'] !== false && blog[flag] === true;
  return { submitted: is('submitted'), drafted: is('drafted'), published: is('published') };
}

/** PLAIN_FIELDS with what is derived from them. Tags stay as they were written, repetitions included. */
function plainFieldsOf(blog: StoredRecord): Record<string, unknown> {
  return Object.fromEntries(
    PLAIN_FIELDS.flatMap((name) => {
      const value = plainValue(ruleOf(name).kind, blog[name]);
      return Object.entries({ [name]: value, ...derivedFrom(name, value) });
    }),
  );
}

function plainValue(kind: BlogFieldRule['kind'], stored: unknown): string | string[] {
  if (kind !== 'tags') return storedText(stored) ?? '';
  const tags: readonly unknown[] = Array.isArray(stored) ? stored : [];
  return tags.filter((tag) => typeof tag === 'string');
}

function optionalFieldsOf(blog: StoredRecord): Record<string, unknown> {
  const present = OPTIONAL_FIELDS.filter((name) => name in blog);
  return Object.fromEntries(present.map((name) => [name, blog[name]]));
}

function recordFields({ author, createdBy, score }: StoredRecord) {
  return {
    author: storedId(author) ?? storedId(createdBy) ?? NOBODY,
    score: typeof score === 'number' ? score : INITIAL_SCORE,
  };
}

/** As `delete` leaves a blog. The lists ask for the flags alone. */
function deletedFields(blog: StoredRecord) {
  const deletedAt =
    storedTime(blog['deletedAt']) ?? storedTime(blog['updatedAt']) ?? creationTime(blog);
  return { ...NO_FLAG, slugs: [], deletedAt };
}

interface Live {
  readonly at: Date;
  readonly slug: string;
}

/**
 * What readers see. While a draft waits beside it, the live version of a blog that has one is the
 * only record of it; in the state "live" it is the working copy.
 */
function liveOf(
  blog: StoredRecord,
  state: BlogState,
  copy: Readonly<Record<string, unknown>> & { readonly slug: string },
  resolve: (slug: string) => string,
): Live {
  const stored = blog['live'];
  if (state !== 'live' && isLive(stored)) {
    return { ...stored, slug: resolve(stored.slug) };
  }
  const at = storedTime(blog['publishedAt']) ?? storedTime(blog['updatedAt']) ?? creationTime(blog);
  return { at, ...copy };
}

function isLive(value: unknown): value is Live {
  const { at, slug } = (value ?? {}) as Partial<Record<keyof Live, unknown>>;
  return storedTime(at) !== null && typeof slug === 'string';
}

/** A time that is none would count as the first publication for good: null lets a new one in. */
function publicationOf({ publishedAt }: StoredRecord, at: Date | null) {
  if (at) return { publishedAt: at };
  return publishedAt === undefined ? {} : { publishedAt: storedTime(publishedAt) };
}

/** The stored array if it has these members in whatever order, else the members. */
function sameMembers(stored: unknown, members: readonly string[]): unknown {
  const isSame =
    Array.isArray(stored) &&
    stored.length === members.length &&
    members.every((member) => stored.includes(member));
  return isSame ? stored : members;
}
