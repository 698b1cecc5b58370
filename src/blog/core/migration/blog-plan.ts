import { isHttpUrl } from '../../../platform/http/validation/http-url.js';
import type { RecordLine } from '../../../platform/database/migrations/report-builder.js';
import { storedId, storedText } from '../../../platform/database/migrations/stored-values.js';
import {
  differences,
  type RecordPlan,
  type StoredRecord,
} from '../../../platform/database/migrations/update-records.js';
import { BLOG_STATES } from '../blog.state.js';
import type { BlogEvent } from '../../history/blog-event.schema.js';
import type { EmbedHosts } from '../html/policy/embeds.js';
import { migratedBlog, UNKNOWN_AUTHOR, type MigratedBlog } from './migrated-blog.js';
import type { SlugClaims } from './slug-claims.js';

/** Longest part of a stored value that a report shows, in characters. */
const SHOWN_LENGTH = 80;

/** Plans the update that adapts a stored blog to this version, and the report about it. */
export function planBlog(
  blog: StoredRecord,
  claims: SlugClaims,
  hosts: EmbedHosts = [],
): RecordPlan {
  const migrated = migratedBlog(blog, claims, hosts);
  const changes = differences(blog, migrated.fields);
  const isHidden = 'live' in blog && !('live' in migrated.fields);
  const unset = isHidden ? ['live'] : [];
  const isUpToDate = Object.keys(changes).length === 0 && !isHidden;
  const rev = typeof blog['rev'] === 'number' ? blog['rev'] : 0;
  return {
    // Every write increments the revision number.
    set: isUpToDate ? {} : { ...changes, ...eventsOf(blog, migrated, rev), rev: rev + 1 },
    unset,
    kinds: [
      ...kindsOf(blog, migrated, changes),
      ...(isHidden ? ['public version removed, they are not published'] : []),
    ],
    lines: isUpToDate ? [] : linesOf(blog, migrated),
    unresolved: unresolvedOf(blog, migrated),
  };
}

/** The new value of `events`: a change of state appends an event, as a transition does. */
function eventsOf(
  { events }: StoredRecord,
  { storedState: from, state }: MigratedBlog,
  revBefore: number,
): { readonly events?: readonly unknown[] } {
  const to = state ?? 'deleted';
  if (from === to) return {};
  const event: BlogEvent = {
    move: 'migrate',
    by: null,
    at: new Date(),
    from,
    to,
    revBefore,
    rev: revBefore + 1,
  };
  return { events: [...(Array.isArray(events) ? (events as unknown[]) : []), event] };
}

/** Describes the change of one field, for the summary of the report. */
type KindRule = (
  stored: unknown,
  migrated: MigratedBlog,
  changes: Readonly<Record<string, unknown>>,
) => string;

const stateKind: KindRule = (_, { state }) =>
  state === null ? 'deleted, taken out of every list' : `now in the state "${state}"`;

const OTHER_KIND = 'fields of this version filled in';

const wordsKind: KindRule = (stored) =>
  stored === undefined ? OTHER_KIND : 'tags and words in their present form';

const KINDS: Readonly<Record<string, KindRule>> = {
  submitted: stateKind,
  drafted: stateKind,
  published: stateKind,
  status: () => 'missing status set to true',
  draftText: (stored) =>
    storedText(stored) === null ? 'missing draft text filled in' : 'HTML cleaned',
  text: (stored) =>
    storedText(stored) === null ? 'missing published text filled in' : 'HTML cleaned',
  live: (stored) =>
    stored ? 'public version brought into the present form' : 'public version made from the record',
  publishedAt: (_stored, _migrated, { publishedAt }) =>
    publishedAt === null
      ? 'time of publication emptied, it was none'
      : 'missing time of publication filled in',
  submittedAt: () => 'missing time of submission filled in',
  tags: () => 'missing tags became an empty list',
  slug: () => 'slug replaced by a usable one in its normal form',
  formerSlugs: () => 'earlier spelling of the slug leads to the present one',
  tagKeys: wordsKind,
  titleWords: wordsKind,
  descriptionWords: wordsKind,
  title: () => 'missing title became empty',
  description: () => 'missing description became empty',
  author: () => 'missing author filled in',
};

function kindsOf(
  blog: StoredRecord,
  migrated: MigratedBlog,
  changes: Readonly<Record<string, unknown>>,
): string[] {
  const kinds = Object.keys(changes).map(
    (field) => KINDS[field]?.(blog[field], migrated, changes) ?? OTHER_KIND,
  );
  return [...new Set(kinds)];
}

function linesOf({ _id }: StoredRecord, { lostSlugs }: MigratedBlog): RecordLine[] {
  return lostSlugs.map(({ wanted, given, ownerBlogId }) => ({
    kind: 'slugs that belong to another blog',
    line: `blog ${String(_id)}: its slug "${wanted}" belongs to blog ${ownerBlogId}, now "${given}"`,
  }));
}

function unresolvedOf(blog: StoredRecord, { state, fields }: MigratedBlog): RecordLine[] {
  if (state === null) return [];
  const id = String(blog._id);
  const { submitted, published } = BLOG_STATES[state];
  const edit = `PUT /blog/author/id/${id}`;
  const rules: readonly (readonly [applies: boolean, kind: string, advice: string])[] = [
    ...imageAddresses(blog).map(
      (address) =>
        [
          true,
          'imgUrl is no http or https URL and is not shown',
          `it is ${shown(address)}: its author can set another or null (${edit})`,
        ] as const,
    ),
    [
      published && fields['text'] === '',
      'its public text is empty',
      `an editor can take it down (PUT /blog/editor/unpublish/id/${id}), or its author submits a text`,
    ],
    [
      submitted && fields['draftText'] === '',
      'the text under review is empty',
      `its author can withdraw and edit it (${edit})`,
    ],
    [fields['title'] === '', 'it has no title', `its author can set one (${edit})`],
    [
      storedId(fields['author'])?.equals(UNKNOWN_AUTHOR) === true,
      'it has no author and is shown as by a former one',
      'set the field author of this record in the collection blogs to the _id of a user',
    ],
  ];
  return rules
    .filter(([applies]) => applies)
    .map(([, kind, advice]) => ({ kind, line: `blog ${id}: ${kind}; ${advice}` }));
}

/** The stored image URLs that are invalid and that responses leave out, each listed once. */
function imageAddresses({ imgUrl, live }: StoredRecord): unknown[] {
  const addresses = new Set([imgUrl, (live as { imgUrl?: unknown } | undefined)?.imgUrl]);
  return [...addresses].filter((address) => (address ?? '') !== '' && !isHttpUrl(address));
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}
