import { Types } from 'mongoose';
import {
  creationTime,
  storedId,
  storedText,
  storedTime,
} from '../../../platform/database/migrations/stored-values.js';
import type { StoredRecord } from '../../../platform/database/migrations/update-records.js';
import { BLOG_STATES, DELETED, stateOf, type BlogFlags, type BlogState } from '../blog.state.js';
import type { RecordState } from '../../history/blog-event.schema.js';
import { cleanHtml, htmlVersionOf } from '../html/clean-html.js';
import { markdownOf, textDigest } from '../markdown/markdown-digest.js';
import { pictureIdsIn } from '../../media/serving/picture-ids.js';
import { readingMinutes } from '../text/reading-minutes.js';
import type { EmbedHosts } from '../html/policy/embeds.js';
import {
  derivedFrom,
  DERIVED_NAMES,
  FIELD_NAMES,
  OPTIONAL_LIVE_FIELDS,
  ruleOf,
} from '../blog-fields.js';
import { INITIAL_SCORE } from '../blog.schema.js';
import { FORMER_SLUGS_MAX } from '../transitions/live-version.js';
import { liveOf, PLAIN_FIELDS, plainValue } from './migrated-live.js';
import { redirectedSlugs, workingSlug, type SlugClaims } from './slug-claims.js';

/** The fields that `migratedBlog` reads or sets. */
export const RECORD_FIELDS: readonly string[] = [
  ...FIELD_NAMES,
  ...DERIVED_NAMES,
  'markdownDigest',
  'text',
  'publishedAt',
  'submittedAt',
  'live',
  'revisions',
  'slugs',
  'formerSlugs',
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

/** The author of a blog without one: an id that no user has, shown as a former author. */
export const UNKNOWN_AUTHOR = new Types.ObjectId('0'.repeat(24));

/**
 * A slug that a blog claimed but does not get, because the blog with the id `ownerBlogId` keeps it.
 */
interface LostSlug {
  readonly wanted: string;
  readonly given: string;
  readonly ownerBlogId: string;
}

/** A blog as this version would have stored it. */
export interface MigratedBlog {
  /** The state before the migration, computed from the stored flags. */
  readonly storedState: RecordState;
  /** The state after the migration; null for a deleted blog. */
  readonly state: BlogState | null;
  /** The values of the fields that this version stores. Other fields are not changed. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly lostSlugs: readonly LostSlug[];
}

/**
 * Computes how this version would store a blog that an older server, or an operator, has stored.
 * For a blog that already has this form, the computed fields equal the stored ones.
 */
export function migratedBlog(
  blog: StoredRecord,
  claims: SlugClaims,
  hosts: EmbedHosts,
): MigratedBlog {
  const texts = textsOf(blog, hosts);
  const state = stateAfter(blog, texts);
  const storedState = blog['status'] === false ? 'deleted' : stateOf(flagsOf(blog));
  const plain = plainFieldsOf(blog, texts.htmlVersion);
  const { pictures, ...derived } = derivedFrom('draftText', texts.draftText, texts.htmlVersion);
  const common = {
    ...texts,
    ...derived,
    ...(pictures ? { pictures } : {}),
    ...plain,
    ...recordFields(blog),
  };
  if (state === null) {
    return { storedState, state, fields: { ...common, ...deletedFields(blog) }, lostSlugs: [] };
  }
  const lostSlugs = new Map<string, LostSlug>();
  const resolve = (wanted: string): string => {
    const { slug: given, ownerBlogId } = claims.resolve(String(blog._id), wanted);
    if (ownerBlogId !== null) lostSlugs.set(wanted, { wanted, given, ownerBlogId });
    return given;
  };
  const slug = resolve(workingSlug(blog).slug);
  const minutes = readingMinutes(texts.text ?? texts.draftText);
  const shown = pictureIdsIn(texts.text ?? texts.draftText);
  const copy = {
    ...plain,
    slug,
    ...optionalFieldsOf(blog),
    readingMinutes: minutes,
    ...(shown ? { pictures: shown } : {}),
  };
  const live = BLOG_STATES[state].published ? liveOf(blog, state, copy, resolve) : null;
  const formerSlugs = redirectedSlugs(blog)
    .filter((former) => former !== live?.slug)
    .slice(0, FORMER_SLUGS_MAX);
  return {
    storedState,
    state,
    fields: {
      ...common,
      ...BLOG_STATES[state],
      status: true,
      slug,
      slugs: storedIfSameMembers(blog['slugs'], [
        ...new Set([slug, ...(live ? [live.slug] : []), ...formerSlugs]),
      ]),
      ...(formerSlugs.length > 0 || 'formerSlugs' in blog ? { formerSlugs } : {}),
      ...publicationOf(blog, live?.at ?? null),
      ...submissionOf(blog, state, live?.at ?? storedTime(blog['publishedAt'])),
      ...(live ? { live } : {}),
    },
    lostSlugs: [...lostSlugs.values()],
  };
}

interface Texts {
  readonly draftText: string;
  readonly text?: string;
  readonly htmlVersion: number;
  readonly markdownDigest?: string;
}

/**
 * The draft and the published text, cleaned. A missing draft is filled from the published text. A
 * missing published text is filled from the draft only if no edit is pending: an unpublished draft
 * must not become public here.
 */
function textsOf(blog: StoredRecord, hosts: EmbedHosts): Texts {
  const { submitted, drafted, published } = flagsOf(blog);
  const storedDraft = storedText(blog['draftText']);
  const stored = storedText(blog['text']);
  const draftText = storedDraft ?? stored ?? '';
  const substitute = submitted || drafted ? '' : draftText;
  const text = stored ?? (published ? substitute : null);
  const htmlVersion = htmlVersionOf(hosts);
  const isCurrent = blog['htmlVersion'] === htmlVersion;
  const clean = (html: string) => (isCurrent ? html : cleanHtml(html, hosts));
  const cleanDraft = clean(draftText);
  const { draftMarkdown, markdownDigest } = blog;
  const markdown = markdownOf({ draftText: storedDraft, draftMarkdown, markdownDigest });
  return {
    draftText: cleanDraft,
    ...(text === null ? {} : { text: text === draftText ? cleanDraft : clean(text) }),
    htmlVersion,
    // Cleaning a text again leaves its Markdown valid.
    ...(markdown === undefined ? {} : { markdownDigest: textDigest(cleanDraft) }),
  };
}

/** The state after the migration; null if deleted. Different texts of a live blog mean that it has a draft. */
function stateAfter(blog: StoredRecord, { draftText, text }: Texts): BlogState | null {
  if (blog['status'] === false) return null;
  const state = stateOf(flagsOf(blog));
  return state === 'live' && draftText !== text ? 'live with draft' : state;
}

function flagsOf(blog: StoredRecord): BlogFlags {
  const is = (flag: keyof BlogFlags) => blog['status'] !== false && blog[flag] === true;
  return { submitted: is('submitted'), drafted: is('drafted'), published: is('published') };
}

/** The values of PLAIN_FIELDS and their derived fields. Tags that are texts stay, even repeated ones. */
function plainFieldsOf(blog: StoredRecord, htmlVersion: number): Record<string, unknown> {
  return Object.fromEntries(
    PLAIN_FIELDS.flatMap((name) => {
      const value = plainValue(ruleOf(name).kind, blog[name]);
      return Object.entries({ [name]: value, ...derivedFrom(name, value, htmlVersion) });
    }),
  );
}

function optionalFieldsOf(blog: StoredRecord): Record<string, unknown> {
  const present = OPTIONAL_LIVE_FIELDS.filter((name) => name in blog);
  return Object.fromEntries(present.map((name) => [name, blog[name]]));
}

function recordFields({ author, createdBy, score }: StoredRecord) {
  return {
    author: storedId(author) ?? storedId(createdBy) ?? UNKNOWN_AUTHOR,
    score: typeof score === 'number' ? score : INITIAL_SCORE,
  };
}

/**
 * The fields of a deleted blog. All flags are false, because lists filter by flags only. A blog that
 * an older server deleted does not get into the trash.
 */
function deletedFields(blog: StoredRecord) {
  const deletedAt =
    storedTime(blog['deletedAt']) ?? storedTime(blog['updatedAt']) ?? creationTime(blog);
  return { ...DELETED, slugs: [], deletedAt };
}

/**
 * The time of publication: that of the live version, else the stored one. An invalid time becomes
 * null, so that the next `publish` sets it; `publish` keeps any other time.
 */
function publicationOf({ publishedAt }: StoredRecord, liveAt: Date | null) {
  if (liveAt) return { publishedAt: liveAt };
  return publishedAt === undefined ? {} : { publishedAt: storedTime(publishedAt) };
}

/**
 * The time of the latest submission, which older versions did not store. For a blog in review, the
 * time of its last change is nearly right. Any other blog was submitted before it was published, so
 * the time of its publication is used.
 */
function submissionOf(blog: StoredRecord, state: BlogState, publishedAt: Date | null) {
  if (storedTime(blog['submittedAt'])) return {};
  const { submitted } = BLOG_STATES[state];
  const at = submitted ? (storedTime(blog['updatedAt']) ?? creationTime(blog)) : publishedAt;
  return at ? { submittedAt: at } : {};
}

/** @returns the stored array if it has the same members in any order, else `members` */
function storedIfSameMembers(stored: unknown, members: readonly string[]): unknown {
  const isSame =
    Array.isArray(stored) &&
    stored.length === members.length &&
    members.every((member) => stored.includes(member));
  return isSame ? stored : members;
}
