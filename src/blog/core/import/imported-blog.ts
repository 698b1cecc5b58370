import type { Types } from 'mongoose';
import { LIVE_COPY, type NewWorkingCopy, type StoredLiveFields } from '../blog-fields.js';
import { newBlog } from '../blog-store.js';
import type { Blog } from '../blog.schema.js';
import { BLOG_STATES } from '../blog.state.js';
import { importEvent } from '../../history/event-stages.js';
import { publicChangesOf } from '../../public/counts/public-change.js';

/** An article of another program, as it is to be stored. */
export interface NewImport {
  readonly _id: Types.ObjectId;
  readonly author: Types.ObjectId;
  readonly copy: NewWorkingCopy;
  readonly slug: string;
  /** Slugs of its former site, which lead to it as well; no other article has them. */
  readonly formerSlugs: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** The time of publication elsewhere; null for a draft. */
  readonly publishedAt: Date | null;
}

/**
 * The document of an imported draft. A draft that the import will make live already has its time of
 * publication.
 */
export function importedDraft(given: NewImport, now: Date): Blog {
  const { _id, author, copy, slug, createdAt, updatedAt, publishedAt, formerSlugs } = given;
  return {
    ...newBlog({ author, copy, slug, now }),
    _id,
    createdAt,
    updatedAt,
    ...(formerSlugs.length > 0 ? { formerSlugs, slugs: [slug, ...formerSlugs] } : {}),
    ...(publishedAt ? { publishedAt, submittedAt: publishedAt } : {}),
    events: [importEvent('draft', now)],
  };
}

/**
 * The document of an imported blog that is live. Its live version and its revision have the time of
 * publication elsewhere; its only event is the import, at the time `now`.
 *
 * @param content id of the content of its revision (see RevisionStore)
 * @param words words for the search (see SearchIndexer)
 */
export function importedLive(
  draft: Blog,
  {
    now,
    content,
    words,
  }: { readonly now: Date; readonly content: Types.ObjectId; readonly words: readonly string[] },
): Blog {
  const at = draft.publishedAt ?? now;
  const copied = Object.fromEntries(
    LIVE_COPY.filter((field) => draft[field] !== undefined).map((field) => [field, draft[field]]),
  ) as unknown as StoredLiveFields;
  const live = { at, updatedAt: draft.updatedAt, words, ...copied };
  return {
    ...draft,
    ...BLOG_STATES.live,
    text: draft.draftText,
    live,
    revisions: [{ rev: draft.rev, move: 'publish', by: null, at, content }],
    events: [importEvent('live', now)],
    publicChanges: publicChangesOf({ ...draft, live }, now),
  };
}
