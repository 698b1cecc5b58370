import type { ClientSession, Types } from 'mongoose';
import type { IfMatch } from '../../../platform/http/conditional/if-match.js';
import type { WorkingCopyChanges } from '../blog-fields.js';
import type { Blog, UpdateStage } from '../blog.schema.js';
import type { BlogFlags, BlogState } from '../blog.state.js';
import type { CleanHtml } from '../html/clean-html.js';
import type { PublicChange } from '../../public/counts/public-change.schema.js';
import type { RecordState } from '../../history/blog-event.schema.js';
import type { FieldWarning } from '../../../platform/http/envelope/envelope.js';
import type { Schedule } from '../review.schema.js';

/** The fields that decide whether a transition is allowed. */
export interface StoredState extends BlogFlags {
  /** False once the blog is deleted. */
  readonly status: boolean;
  /** The live version, if one is stored. */
  readonly live?: unknown;
  /** When the author deleted the blog, which has been in the trash since then. */
  readonly trashedAt?: Date | null;
}

/** The values that transitions need besides their names. Each transition reads those that it needs. */
export interface TransitionDetails {
  /** What the author tells the editors with a submission; the reason for a return. */
  readonly note?: string;
  /** The editor to assign; null ends the assignment. */
  readonly editor?: Types.ObjectId | null;
  /** A slug made from the new title, for a blog whose slug follows its title. */
  readonly generatedSlug?: string;
  /** Who wrote the revision that an edit restores. */
  readonly writers?: readonly Types.ObjectId[];
  readonly publishAt?: Date;
  readonly unpublishAt?: Date;
  /** The author who gets the blog. */
  readonly newAuthor?: Types.ObjectId;
  /** The stored content of the revision that the transition makes (see RevisionStore). */
  readonly content?: Types.ObjectId;
  /**
   * The words by which a search finds the version that a publication makes live (see
   * SearchIndexer).
   */
  readonly words?: readonly string[];
  /** Those of its spellings that may not be stored yet. */
  readonly spellings?: PublicChange['spellings'];
}

interface TransitionContext {
  readonly now: Date;
  readonly actor: Types.ObjectId;
  readonly details: TransitionDetails;
}

/**
 * The state after a transition: one state, or one for each state before the transition. A state
 * without an entry does not change.
 */
export type Targets = RecordState | Readonly<Partial<Record<RecordState, RecordState>>>;

/** A blog after a transition, with warnings of what the transition has changed although nobody asked for it. */
export type TransitionedBlog = Blog & { readonly warnings?: readonly FieldWarning[] };

/** A row of TRANSITIONS. */
export interface Transition {
  /** The participle for the error message "blog cannot be …". */
  readonly participle: string;
  /** The states that allow the transition; none for a transition out of the trash. */
  readonly from: readonly BlogState[];
  /** The state after the transition, which its event records. */
  readonly to: Targets;
  /**
   * Whether a blog that `to` makes live with draft, or leaves live in review, becomes live if its working copy is
   * the live version: then it has no edits.
   */
  readonly endsWithoutEdits: boolean;
  /** What happens if the changes of the request would change nothing: it may be answered without a write. */
  readonly withoutChange: 'made' | 'skipped' | 'skipped if live';
  /** Whether a live blog needs edits: its working copy must differ from the live version. */
  readonly needsEdits: boolean;
  /** Whether the transition is made on blogs in the trash only. */
  readonly fromTrash: boolean;
  /**
   * Whether the transition is also allowed for any blog with a stored live version. An operator may have
   * hidden a blog in the database by setting only `published` or `status`. Readers no longer see that
   * blog, but `live` is still stored; this transition removes it.
   */
  readonly allowsHidden: boolean;
  /**
   * The version that the caller gets: the blog after the transition, or the blog before it with
   * these flags. An editor who unpublishes a blog is shown what was live, not the author's
   * unsubmitted draft.
   */
  readonly result: 'after' | ((before: StoredState) => BlogFlags);
  /**
   * Whether the transition removes a blog whose author's account is deleted. Nobody could read such a blog
   * as a draft, and its slug would stay taken.
   */
  readonly removesIfAuthorDeleted: boolean;
  /** Whether the transition may change what readers see. */
  readonly isPublic: boolean;
  /**
   * Whether the transition adds a revision: one whose content is stored before the transition, or one with the
   * content of the latest revision, which is the submitted one.
   */
  readonly revision: 'none' | 'of new content' | 'of submitted content';
  /**
   * Whether the transition makes the working copy live. If so, its words for the search are found
   * before the transition.
   */
  readonly isIndexed: boolean;
  /**
   * Whether the schedule stays, except for what the stages of this transition change. If false,
   * the times that no longer apply are removed from it. The schedule must not stay if the transition
   * changes the submitted revision or takes it out of review.
   */
  readonly keepsSchedule: boolean;
  /** The scheduled times that whoever makes the transition means to end. Of others that end there is a warning. */
  readonly endsTimes: readonly (keyof Schedule)[];
  /** Whether the transition sets `updatedAt`. */
  readonly touches: boolean;
  /** The users who may not make the transition under `FOUR_EYES=on`. */
  readonly notBy: 'nobody' | 'contributors' | 'live contributors' | 'anyone while live';
  /** The stages of the update that are specific to this transition. */
  readonly update: (context: TransitionContext) => readonly UpdateStage[];
}

/** Default values for rows of TRANSITIONS. */
export const TRANSITION_DEFAULTS = {
  endsWithoutEdits: false,
  withoutChange: 'made',
  needsEdits: false,
  fromTrash: false,
  allowsHidden: false,
  result: 'after',
  removesIfAuthorDeleted: false,
  isPublic: false,
  revision: 'none',
  isIndexed: false,
  keepsSchedule: false,
  endsTimes: [],
  touches: true,
  notBy: 'nobody',
} as const;

/** Default values for rows that change neither the contents nor the state. */
export const BOOKKEEPING_DEFAULTS = {
  ...TRANSITION_DEFAULTS,
  to: {},
  keepsSchedule: true,
  touches: false,
} as const;

/** What a service asks of BlogTransitionService. */
export interface TransitionRequest {
  readonly id: Types.ObjectId;
  /** The user who makes the transition. */
  readonly actor: Types.ObjectId;
  /**
   * For the transition of an author: the user who must own the blog, and whose account must exist.
   */
  readonly owner?: Types.ObjectId;
  readonly ifMatch: IfMatch;
  /** The edited fields, for `edit` and `correct`, and the slug, for `undelete`. */
  readonly changes?: WorkingCopyChanges<CleanHtml>;
  readonly details?: TransitionDetails;
  /** For a scheduled transition: its time in the schedule, which the blog must still have. */
  readonly due?: Readonly<Partial<Record<`schedule.${keyof Schedule}.at`, Date>>>;
  /**
   * For a scheduled transition: whether it has passed to an ADMIN. `FOUR_EYES` does not forbid it then: it was
   * allowed to the editor who scheduled it.
   */
  readonly isPassed?: boolean;
  /** What is written in one transaction with the transition, which is then slower. */
  readonly alongside?: ((transaction: ClientSession | null) => Promise<void>) | undefined;
  /** Whether the changes were compared with what cleaning makes of a text of another HTML policy. */
  readonly areTextsCompared?: boolean;
}
