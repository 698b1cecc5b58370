import { BadRequestException, HttpException, HttpStatus, NotFoundException } from '@nestjs/common';
import { InvalidBodyError, type ErrorDetails } from '../common/http/errors/api.errors.js';
import { BLOG_FIELDS } from './blog-fields.js';
import type { BlogState } from './blog.state.js';
import { MOVES, type MoveName } from './moves/move-table.js';
import type { Schedule } from './review.schema.js';

/** 404: no such blog, or none that the caller may see. */
export class BlogNotFoundError extends NotFoundException {
  constructor() {
    super('blog not found');
  }
}

/** 301: the slug is a former one of a live blog. No cache keeps the answer: the slug may be live again. */
export class BlogMovedError extends HttpException {
  static readonly example = (): BlogMovedError => new BlogMovedError('notes-on-the-engine');

  /** @param slug the live slug of the blog */
  constructor(slug: string) {
    const details: ErrorDetails = {
      message: 'the blog has moved: read the path in Location',
      // Relative to the path of the request, which a proxy may have changed.
      headers: { location: encodeURIComponent(slug), 'cache-control': 'no-cache' },
    };
    super(details, HttpStatus.MOVED_PERMANENTLY);
  }
}

/** 400: another blog has the slug: published, in its working copy, or as a former one. */
export class SlugTakenError extends BadRequestException {
  static readonly example = (): SlugTakenError => new SlugTakenError('notes-on-the-engine');

  constructor(slug: string) {
    super(`blog with slug: ${slug} already exists`);
  }
}

/** 400: the state of the blog does not allow the move. */
export class IllegalMoveError extends BadRequestException {
  static readonly example = (): IllegalMoveError => new IllegalMoveError('publish', 'draft');

  constructor(move: MoveName, state: BlogState) {
    const isUnderReview = state === 'in review' || state === 'live in review';
    const message =
      move === 'edit' && isUnderReview
        ? 'blog is under review: withdraw it first'
        : `blog cannot be ${MOVES[move].participle}: it is ${state}`;
    super(message);
  }
}

/** 400: with `FOUR_EYES=on`, the caller wrote, submitted or corrected the blog. */
export class OtherEditorNeededError extends BadRequestException {
  static readonly example = (): OtherEditorNeededError => new OtherEditorNeededError('publish');

  constructor(move: MoveName) {
    super(
      move === 'delete'
        ? 'blog is live: another editor unpublishes it first'
        : `blog cannot be ${MOVES[move].participle} by its author or submitter: another editor does it`,
    );
  }
}

/** 400: the user whom a blog is assigned to is unknown or disabled, or has not the role EDITOR. */
export class NotAnEditorError extends BadRequestException {
  constructor() {
    super('editor must be the id of an enabled user with the role EDITOR');
  }
}

/** 400: the `_id` in the body differs from the id in the path. */
export class ForeignIdError extends BadRequestException {
  constructor() {
    super('_id in the body must be the id in the path');
  }
}

/** 422: the text is empty or too long after it was cleaned. */
export class DraftTextError extends InvalidBodyError {
  constructor() {
    const { min, max } = BLOG_FIELDS.draftText.cleaned;
    const message = `draftText must be ${min} to ${max} characters after cleaning`;
    super([{ field: 'draftText', message }]);
  }
}

/** 400: a new time of the schedule is not in order with the one that it leaves as it is. */
export class ScheduleOrderError extends BadRequestException {
  static readonly example = (): ScheduleOrderError => new ScheduleOrderError('unpublish');

  /** @param scheduled the move whose time is stored */
  constructor(scheduled: keyof Schedule) {
    super(
      scheduled === 'unpublish'
        ? 'blog is to be unpublished before publishAt: send a later unpublishAt as well'
        : 'blog is to be published after unpublishAt: send an earlier publishAt as well',
    );
  }
}
