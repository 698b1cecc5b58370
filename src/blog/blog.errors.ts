import { BadRequestException, NotFoundException } from '@nestjs/common';
import { MOVES, type BlogState, type MoveName } from './blog.state.js';

/** 404: no such blog, or none that the caller may see. */
export class BlogNotFoundError extends NotFoundException {
  constructor() {
    super('blog not found');
  }
}

/** 400: another blog has the slug, published or in its working copy. */
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
