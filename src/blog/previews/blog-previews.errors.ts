import { ApiError } from '../../platform/http/errors/api.errors.js';
import type { BlogState } from '../core/blog.state.js';

/** 404: the token is unknown or altered, or its preview has ended or expired. */
export class PreviewNotFoundError extends ApiError {
  constructor() {
    super('preview_not_found', 'preview not found');
  }
}

/** 400: an editor asked for a preview of a blog that is not in review. */
export class NotInReviewError extends ApiError {
  static readonly example = (): NotInReviewError => new NotInReviewError('live');

  constructor(state: BlogState) {
    super('not_submitted', `blog cannot be previewed by an editor: it is ${state}`);
  }
}

/** Largest number of open previews of a blog. */
export const MAX_OPEN_PREVIEWS = 100;

/** 400: the blog has MAX_OPEN_PREVIEWS open previews. */
export class TooManyPreviewsError extends ApiError {
  constructor() {
    super(
      'too_many_previews',
      `blog has ${MAX_OPEN_PREVIEWS} open previews: end them, or wait until one expires`,
    );
  }
}
