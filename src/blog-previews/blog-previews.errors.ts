import { BadRequestException, NotFoundException } from '@nestjs/common';
import type { BlogState } from '../blog/blog.state.js';

/** 404: the token is unknown or altered, or its preview has ended or expired. */
export class PreviewNotFoundError extends NotFoundException {
  constructor() {
    super('preview not found');
  }
}

/** 400: an editor's preview shows what is submitted, and nothing is. */
export class NotInReviewError extends BadRequestException {
  static readonly example = (): NotInReviewError => new NotInReviewError('live');

  constructor(state: BlogState) {
    super(`blog cannot be previewed by an editor: it is ${state}`);
  }
}

/** How many previews of a blog may be open. */
export const MAX_OPEN_PREVIEWS = 100;

/** 400: the blog has MAX_OPEN_PREVIEWS. */
export class TooManyPreviewsError extends BadRequestException {
  constructor() {
    super(`blog has ${MAX_OPEN_PREVIEWS} open previews: end them, or wait until one expires`);
  }
}
