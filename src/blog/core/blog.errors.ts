import { ApiError, InvalidBodyError } from '../../platform/http/errors/api.errors.js';
import type { Reason } from '../../platform/http/errors/reasons.js';
import { BLOG_FIELDS } from './blog-fields.js';
import { BLOG_STATES, type BlogState } from './blog.state.js';
import { transitionOf, type TransitionName } from './transitions/transition-table.js';
import type { Schedule } from './review.schema.js';

/** 404: the blog does not exist, or the caller may not see it. */
export class BlogNotFoundError extends ApiError {
  constructor() {
    super('blog_not_found', 'blog not found');
  }
}

/**
 * 301: the slug is a former slug of a live blog. Caches must revalidate the response, because the
 * slug may become live again.
 */
export class BlogMovedError extends ApiError {
  static readonly example = (): BlogMovedError => new BlogMovedError('notes-on-the-engine');

  /** @param slug the live slug of the blog */
  constructor(slug: string) {
    super('blog_moved', 'the blog has moved: read the path in Location', {
      // The URL is relative to the path of the request, which a proxy may have changed.
      headers: { location: encodeURIComponent(slug), 'cache-control': 'no-cache' },
    });
  }
}

/** 400: another blog has the slug: in its live version, in its working copy or as a former slug. */
export class SlugTakenError extends ApiError {
  static readonly example = (): SlugTakenError => new SlugTakenError('notes-on-the-engine');

  constructor(readonly slug: string) {
    super('slug_taken', `blog with slug: ${slug} already exists`);
  }
}

/** 422: the root of the site, where articles stand, needs the address for itself. */
export class SlugReservedError extends ApiError {
  static readonly example = (): SlugReservedError => new SlugReservedError('sitemap.xml');

  constructor(slug: string) {
    const message = `slug must not be ${slug}: the site needs this address for itself`;
    super('slug_reserved', `validation error: ${message}`, {
      errors: [{ field: 'slug', message }],
    });
  }
}

/**
 * The reason why a transition is refused: how the state of the blog differs from all states that
 * allow the transition.
 */
function reasonOf(transition: TransitionName, state: BlogState): Reason {
  const allowingStates = transitionOf(transition).from.map((from) => BLOG_STATES[from]);
  const { submitted, published } = BLOG_STATES[state];
  if (submitted && allowingStates.every((flags) => !flags.submitted)) return 'under_review';
  if (!published && allowingStates.every((flags) => flags.published)) return 'not_live';
  return state === 'live' && allowingStates.every((flags) => flags.drafted)
    ? 'no_edits'
    : 'not_submitted';
}

/**
 * Transitions that need a submission. The message for a draft or a live blog with draft advises to
 * submit it.
 */
const NEEDS_SUBMISSION: ReadonlySet<TransitionName> = new Set(['publish', 'schedule']);

function adviceFor(transition: TransitionName, state: BlogState): string {
  if (NEEDS_SUBMISSION.has(transition) && BLOG_STATES[state].drafted) return '; submit it first';
  return transition === 'submit' && state === 'live'
    ? ' without edits, so there is nothing to submit'
    : '';
}

/** 400: the state of the blog does not allow the transition. */
export class IllegalTransitionError extends ApiError {
  static readonly example = (): IllegalTransitionError =>
    new IllegalTransitionError('publish', 'draft');

  constructor(transition: TransitionName, state: BlogState) {
    const reason = reasonOf(transition, state);
    super(
      reason,
      transition === 'edit' && reason === 'under_review'
        ? 'blog is under review: withdraw it first'
        : `blog cannot be ${transitionOf(transition).participle}: it is ${state}${adviceFor(transition, state)}`,
    );
  }
}

/**
 * 400: `FOUR_EYES=on` forbids the caller the transition, because the caller has contributed to the
 * blog.
 */
export class OtherEditorNeededError extends ApiError {
  static readonly example = (): OtherEditorNeededError => new OtherEditorNeededError('publish');

  constructor(transition: TransitionName) {
    super(
      'other_editor_needed',
      transition === 'delete'
        ? 'blog is live: another editor unpublishes it first'
        : `blog cannot be ${transitionOf(transition).participle} by its author or a contributor: another editor does it`,
    );
  }
}

/**
 * 400: the user whom a blog is assigned to is unknown or disabled, or does not have the role
 * EDITOR.
 */
export class NotAnEditorError extends ApiError {
  constructor() {
    super('not_an_editor', 'editor must be the id of an enabled user with the role EDITOR');
  }
}

/** 400: the `_id` in the body differs from the id in the path. */
export class ForeignIdError extends ApiError {
  constructor() {
    super('id_mismatch', '_id in the body must be the id in the path');
  }
}

/** 422: the text is empty or too long after it was cleaned. */
export class DraftTextError extends InvalidBodyError {
  /** @param field the field of the body that the text was made of */
  constructor(field: 'draftText' | 'draftMarkdown' = 'draftText') {
    const { min, max } = BLOG_FIELDS.draftText.cleaned;
    const message = `${field} must be ${min} to ${max} characters after cleaning`;
    super([{ field, message }]);
  }
}

/** 422: Markdown that cannot be converted within its bounds. */
export class MarkdownTooComplexError extends InvalidBodyError {
  static readonly example = (): MarkdownTooComplexError =>
    new MarkdownTooComplexError('its text is nested deeper than 100 levels');

  /** @param problem what the converter says */
  constructor(problem: string) {
    super([{ field: 'draftMarkdown', message: `draftMarkdown cannot be converted: ${problem}` }]);
  }
}

/**
 * 400: a new time of the schedule contradicts the stored time, which the request does not change.
 */
export class ScheduleOrderError extends ApiError {
  static readonly example = (): ScheduleOrderError => new ScheduleOrderError('unpublish');

  /** @param scheduled the transition whose time is already stored */
  constructor(scheduled: keyof Schedule) {
    super(
      'schedule_order',
      scheduled === 'unpublish'
        ? 'blog is to be unpublished before publishAt: send a later unpublishAt as well'
        : 'blog is to be published after unpublishAt: send an earlier publishAt as well',
    );
  }
}
